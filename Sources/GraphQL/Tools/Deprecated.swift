// Former names of public declarations, which the next version removes.

import ApusGraphQLLanguage
import ApusGraphQLSchema

extension GraphQLDocument {
  /// The former name of `diagnostics(schema:)`.
  @available(*, deprecated, renamed: "diagnostics(schema:)")
  public func problems(schema: GraphQLSchema? = nil) -> [GraphQLDiagnostic] { diagnostics(schema: schema) }

  /// The former name of `diagnostics(in:schema:)`.
  @available(*, deprecated, renamed: "diagnostics(in:schema:)")
  public static func problems(in documents: [GraphQLDocument], schema: GraphQLSchema? = nil) -> [GraphQLDiagnostic] {
    diagnostics(in: documents, schema: schema)
  }
}

extension GraphQLDocument.Completion {
  /// The former name of `replacementRange`.
  @available(*, deprecated, renamed: "replacementRange")
  public var replaces: Range<DocumentPosition> { replacementRange }

  /// The former name of `placeholderOffsets`.
  @available(*, deprecated, renamed: "placeholderOffsets")
  public var stops: [Int] { placeholderOffsets }
}

extension GraphQLSchema {
  /// The former name of `diagnostics`.
  @available(*, deprecated, renamed: "diagnostics")
  public var problems: [GraphQLDiagnostic] { diagnostics }
}
