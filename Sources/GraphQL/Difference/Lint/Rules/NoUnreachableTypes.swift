import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// No operation can come by some types: they are left over, or something that should refer to them does not.
enum NoUnreachableTypes: SchemaLintRule {
  static let name = "no-unreachable-types"
  static let summary = "Every type can be reached from a root type or from a directive's arguments."
  static let canFix = true
  static let example = "type Query { id: ID } type Bird { id: ID }"

  static func check(_ context: inout LintContext) {
    // Without a root nothing is reachable: that is a part of a schema, too.
    guard context.schema.queryType != nil, !isPart(context) else { return }
    let reached = context.schema.reachableTypes
    for type in context.types where !reached[Int(type.index)] {
      guard let name = type.nameNode else { continue }
      let fixes = type.nodes.map { node in TextEdit(range: withRestOfLine(node.range, node.document), text: "") }
      // Edits belong to one text.
      let isInOne = type.nodes.allSatisfy { $0.document === name.document }
      context.report(
        "No operation can come by the \(type.kind.words) \(type.name).", type.coordinate, at: name,
        fix: isInOne ? fixes : [])
    }
  }

  /// Whether the text is a part of a larger schema, which may come by its types elsewhere: a subgraph of a federation marks
  /// them with `@key`.
  private static func isPart(_ context: LintContext) -> Bool {
    context.types.contains { type in type.nodes.contains { $0.directives.contains { $0.name.hasValue("key") } } }
  }

  /// What goes with a definition: the rest of its line, and one blank line behind it.
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
