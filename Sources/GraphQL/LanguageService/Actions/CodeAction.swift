import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation

/// A change to the document that is offered at a place.
package struct CodeAction: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case fillLeafFields, addRequiredArguments, addMissingVariable, extractFragment, inlineFragment, wrapInDefer
    case removeUnused, sort, applySuggestion
  }

  package let kind: Kind
  /// What it does, such as `Select all leaf fields of Bird`.
  package let title: String
  /// They do not overlap.
  package let edits: [TextEdit]
}

extension LanguageService {
  /// What can be done with a range of bytes, or at a place where the range is empty; what mends an error first.
  ///
  /// - Parameter errors: What the validator has against the document.
  package func codeActions(in range: Range<Int>, mending errors: [ValidationError] = []) -> [CodeAction] {
    let size = document.source.bytes.count
    let lower = max(0, min(range.lowerBound, size))
    let range = lower..<max(lower, min(range.upperBound, size))
    let place = ActionPlace(range: range, service: self)
    return suggested(by: errors, in: range)
      + [
        addMissingVariable(place), addRequiredArguments(place), fillLeafFields(place), extractFragment(place),
        inlineFragment(place), wrapInDefer(place),
      ].compactMap { $0 } + removeUnused() + [sort(place)].compactMap { $0 }
  }
}

/// Where an action is asked for.
struct ActionPlace {
  let range: Range<Int>
  let path: TypedPath
  let document: Document

  init(range: Range<Int>, service: LanguageService) {
    self.range = range
    document = service.document
    path = TypedPath(to: range.lowerBound, in: service.document, schema: service.schema)
  }

  var offset: Int { range.lowerBound }

  /// What stands before the first character of the line that a place is on.
  func indentation(at offset: Int) -> String {
    let bytes = document.source.bytes
    var start = min(offset, bytes.count)
    while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
    var end = start
    while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
    return document.source.text(start..<end)
  }

  /// The selections that the range covers or touches, and the set they are in with its type. They stand side by side.
  var selections: (nodes: [SelectionNode], parent: TypeDefinition?)? {
    // The set in which the whole range is.
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

  /// The definition that the place is in.
  var definition: DefinitionNode? {
    path.steps.dropFirst().first.flatMap { DefinitionNode(document, $0.node.id) }
  }
}

/// Text to put into a document, line by line at an indentation.
enum ActionText {
  /// `{`, a line for each of the lines, `}`.
  static func block(_ lines: [String], indentation: String) -> String {
    "{\n" + lines.map { "\(indentation)  \($0)\n" }.joined() + "\(indentation)}"
  }

  /// Moves all lines but the first from one indentation to another.
  static func reindented(_ text: String, from old: String, to new: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line in
      guard index > 0, line.hasPrefix(old), !line.allSatisfy(\.isWhitespace) else { return String(line) }
      return new + line.dropFirst(old.count)
    }.joined(separator: "\n")
  }

  /// The first of `name`, `name2`, `name3`, … that is free.
  static func free(_ name: String, isTaken: (String) -> Bool) -> String {
    guard isTaken(name) else { return name }
    var number = 2
    while isTaken("\(name)\(number)") { number += 1 }
    return "\(name)\(number)"
  }
}
