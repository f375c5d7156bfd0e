import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation

/// A change to the document that is offered at a location.
package struct CodeAction: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case fillLeafFields, addRequiredArguments, addMissingVariable, extractFragment, inlineFragment, wrapInDefer
    case removeUnused, sort, applySuggestion
  }

  package let kind: Kind
  /// The description of the change, such as `Select all leaf fields of Bird`.
  package let title: String
  /// Edits, which do not overlap.
  package let edits: [TextEdit]
}

extension LanguageService {
  /// Returns the actions for a byte range, or for a position if the range is empty, with fixes of errors first.
  ///
  /// - Parameter errors: The validation errors of the document.
  package func codeActions(in range: Range<Int>, fixing errors: [ValidationError] = []) -> [CodeAction] {
    let size = document.source.bytes.count
    let lower = max(0, min(range.lowerBound, size))
    let range = lower..<max(lower, min(range.upperBound, size))
    let place = CodeActionContext(range: range, service: self)
    return suggested(by: errors, in: range)
      + [
        addMissingVariable(place), addRequiredArguments(place), fillLeafFields(place), extractFragment(place),
        inlineFragment(place), wrapInDefer(place),
      ].compactMap { $0 } + removeUnused() + [sort(place)].compactMap { $0 }
  }
}

/// The range that code actions are requested for.
struct CodeActionContext {
  let range: Range<Int>
  let path: TypedPath
  let document: Document

  init(range: Range<Int>, service: LanguageService) {
    self.range = range
    document = service.document
    path = TypedPath(to: range.lowerBound, in: service.document, schema: service.schema)
  }

  var offset: Int { range.lowerBound }

  /// Returns the white space at the start of the line of an offset.
  func indentation(at offset: Int) -> String {
    let bytes = document.source.bytes
    var start = min(offset, bytes.count)
    while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
    var end = start
    while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
    return document.source.text(start..<end)
  }

  /// Adjacent selections that the range covers or touches, and the type of their selection set.
  var selections: (nodes: [SelectionNode], parent: TypeDefinition?)? {
    // The innermost selection set that contains the whole range.
    let step = path.steps.last {
      $0.node.kind == .selectionSet && $0.node.range.lowerBound < max(range.lowerBound, 1)
        && range.upperBound <= $0.node.range.upperBound
    }
    guard let step else { return nil }
    let nodes = SelectionSetNode(document, step.node.id).selections.filter {
      range.isEmpty
        ? $0.range.lowerBound <= offset && offset <= $0.range.upperBound
        : $0.range.lowerBound < range.upperBound && range.lowerBound < $0.range.upperBound
    }
    return nodes.isEmpty ? nil : (range.isEmpty ? [nodes[nodes.count - 1]] : nodes, step.type)
  }

  /// The definition that contains the range.
  var definition: DefinitionNode? {
    path.steps.dropFirst().first.flatMap { DefinitionNode(document, $0.node.id) }
  }
}

/// Helpers for inserted text: indentation and unused names.
enum ActionText {
  /// Returns a block in braces with one line for each item.
  static func block(_ lines: [String], indentation: String) -> String {
    "{\n" + lines.map { "\(indentation)  \($0)\n" }.joined() + "\(indentation)}"
  }

  /// Changes the indentation of all lines except the first.
  static func reindented(_ text: String, from old: String, to new: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line in
      guard index > 0, line.hasPrefix(old), !line.allSatisfy(\.isWhitespace) else { return String(line) }
      return new + line.dropFirst(old.count)
    }.joined(separator: "\n")
  }

  /// Returns the first name of `name`, `name2`, `name3`, … that is not taken.
  static func free(_ name: String, isTaken: (String) -> Bool) -> String {
    guard isTaken(name) else { return name }
    var number = 2
    while isTaken("\(name)\(number)") { number += 1 }
    return "\(name)\(number)"
  }
}
