import ApusExplorerText
import ApusGraphQLLanguageService
import ApusJSON

/// A line of a form: something of the schema that can be selected, or a value that can be given.
package struct FormRow: Equatable, Sendable {
  package enum Path: Hashable, Sendable {
    case selection([FieldTree.Step])
    /// A variable, and the fields of inputs that lead into it.
    case variable([String])
  }

  package var path: Path
  package var name: String
  package var type: String
  package var note: String
  package var depth: Int
  /// Whether the text has it; nil where that is no choice.
  package var isTicked: Bool?
  /// Whether what is in it is shown; nil where nothing is.
  package var isOpen: Bool?
  package var value: String?
  /// The values that there are, where they can be counted.
  package var choices: [String]
  package var isDeprecated = false
  /// Whether it must be given and is not.
  package var isMissing = false
  /// Whether a value can be written for it.
  package var isWritable = false
  /// Whether the text's cursor is in what selects it, and in nothing beneath it.
  package var isAtCursor = false

  package init(
    path: Path, name: String, type: String, note: String = "", depth: Int, isTicked: Bool? = nil, isOpen: Bool? = nil,
    value: String? = nil, choices: [String] = []
  ) {
    self.path = path
    self.name = name
    self.type = type
    self.note = note
    self.depth = depth
    self.isTicked = isTicked
    self.isOpen = isOpen
    self.value = value
    self.choices = choices
  }
}

extension FormRow {
  /// The value as it would be typed: a text without quotes, unless it would be taken for something else then.
  var writtenValue: String {
    guard let value, !value.hasPrefix("= ") else { return "" }
    guard case .variable = path, ["String", "ID"].contains(type.filter { $0 != "!" }),
      let text = (try? JSONDocument(parsing: Array(value.utf8)).root)?.string,
      text != "null", !text.hasPrefix("\""), !text.isEmpty, !text.contains(where: \.isNewline)
    else { return value }
    return text
  }
}

/// What a form is made from. The texts are all there is: a form is drawn from them and writes into them.
package struct FormQuestion: Equatable, Sendable {
  package enum Purpose: Equatable, Sendable { case selections, variables }

  package var purpose: Purpose
  package var query: TextBuffer
  package var offset: Int
  package var variables: TextBuffer
  /// What was opened or closed by hand.
  package var opened: [FormRow.Path: Bool]
}

/// What a person does in a form.
package enum FormChange: Equatable, Sendable {
  case toggled(FormRow.Path)
  case filledIn(FormRow.Path, String)
}
