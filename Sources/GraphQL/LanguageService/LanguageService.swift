import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Editor features for a GraphQL document: completion, hover, navigation and code actions.
///
/// The service is a value over an immutable document. Create a new one after each edit.
package struct LanguageService: Sendable {
  package let document: Document
  package let schema: Schema?
  /// Fragments of other files that the document can spread.
  package var otherFragments: [ExternalFragment] = []
  /// The names of fragments that other documents spread, so that they do not count as unused.
  package var fragmentsSpreadElsewhere: Set<String> = []

  /// - Parameter schema: The schema. If it is `nil`, a document with type definitions is its own schema.
  package init(document: Document, schema: Schema?) {
    self.document = document
    let definesTypes = document.definitions.contains { !$0.isExecutable }
    self.schema = (schema ?? (definesTypes ? Schema.load(sdl: [document]) : nil))?.read(for: [document])
  }

  /// A fragment that is defined in another file.
  package struct ExternalFragment: Sendable, Equatable {
    package let name: String
    package let typeCondition: String

    package init(name: String, typeCondition: String) {
      self.name = name
      self.typeCondition = typeCondition
    }
  }

  /// The specification's scalars and directives, for documents without a schema.
  static let builtIns = Schema.load(sdl: [Document]())
}
