import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// Every type is reachable. An unreachable type is obsolete, or a reference to it is missing.
enum NoUnreachableTypes: SchemaLintRule {
  static let name = "no-unreachable-types"
  static let summary = "Every type can be reached from a root type or from a directive's arguments."
  static let canFix = true
  static let example = "type Query { id: ID } type Bird { id: ID }"

  static func check(_ context: inout LintContext) {
    // Without a query type this is a partial schema.
    guard context.schema.queryType != nil, !isPart(context) else { return }
    let reached = context.schema.reachableTypes
    for type in context.types where !reached[Int(type.index)] {
      guard let name = type.nameNode else { continue }
      let fixes = type.nodes.map { node in TextEdit(range: withRestOfLine(node.range, node.document), text: "") }
      // Edits apply to one document.
      let isInOne = type.nodes.allSatisfy { $0.document === name.document }
      context.report(
        "No operation can reach the \(type.kind.words) \(type.name).", type.coordinate, at: name,
        fix: isInOne ? fixes : [])
    }
  }

  /// Whether this is part of a larger schema that may reference its types. Subgraphs of a federation mark them with
  /// `@key`.
  private static func isPart(_ context: LintContext) -> Bool {
    context.types.contains { type in type.nodes.contains { $0.directives.contains { $0.name.hasValue("key") } } }
  }

  /// Returns the range of a definition, with the rest of its line and one blank line after it.
  private static func withRestOfLine(_ range: Range<Int>, _ document: Document) -> Range<Int> {
    let bytes = document.source.bytes
    var end = range.upperBound
    for _ in 0..<2 {
      var index = end
      while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 || bytes[index] == 0x0D { index += 1 }
      guard index < bytes.count, bytes[index] == 0x0A else { break }
      end = index + 1
    }
    return range.lowerBound..<end
  }
}
