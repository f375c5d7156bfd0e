import ApusExplorerText
import ApusGraphQLLanguageService
import ApusJSON

/// A row of a form: a schema element that can be selected, or an input value.
package struct FormRow: Equatable, Sendable {
  package enum Path: Hashable, Sendable {
    case selection([FieldTree.Step])
    /// A variable, and the input fields and list indexes on the path into it: `["filter", "species", "0"]`.
    case variable([String])
  }

  /// The last component of a path that appends an item to a list: `["filter", "species", "+"]`. No field has this name.
  package static let newItem = "+"

  package var path: Path
  package var name: String
  package var type: String
  package var note: String
  package var depth: Int
  /// Whether the text contains the element; nil if that cannot be toggled.
  package var isTicked: Bool?
  /// Whether the children are visible; nil if there are none.
  package var isOpen: Bool?
  package var value: String?
  /// Possible values, if they can be enumerated.
  package var choices: [String]
  package var isDeprecated = false
  /// Whether the value is required and missing.
  package var isMissing = false
  /// The reason why the value is invalid.
  package var problem: String?
  /// Whether a value can be entered.
  package var isWritable = false
  /// Whether the editor's cursor is in the selection of this element, but not in that of a child.
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
  /// Whether accepting the row appends an item to a list of input objects.
  var addsObject: Bool {
    guard case .variable(let path) = path else { return false }
    return path.last == Self.newItem && !isWritable
  }

  /// The value as the user would type it: a string without quotes, unless it would then be read as another value, as
  /// `"null"` would.
  var writtenValue: String {
    guard let value, !value.hasPrefix("= ") else { return "" }
    guard case .variable = path, ["String", "ID"].contains(type.filter { $0 != "!" }),
      let text = (try? JSONDocument(parsing: Array(value.utf8)).root)?.string,
      text != "null", !text.hasPrefix("\""), !text.isEmpty, !text.contains(where: \.isNewline)
    else { return value }
    return text
  }
}

/// A request to build a form. The editors contain all of its state: the form is generated from them and edits them.
package struct FormRequest: Equatable, Sendable {
  package enum Purpose: Equatable, Sendable { case selections, variables }

  package var purpose: Purpose
  package var query: TextBuffer
  package var offset: Int
  package var variables: TextBuffer
  /// Rows that the user opened or closed.
  package var opened: [FormRow.Path: Bool]
}

/// A change that the user makes in a form.
package enum FormEdit: Equatable, Sendable {
  case toggled(FormRow.Path)
  case filledIn(FormRow.Path, String)
}
