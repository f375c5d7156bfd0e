import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The kind of a completion.
public enum CompletionKind: String, Sendable, Hashable, CaseIterable {
  /// An element of the schema.
  case field, argument, type, enumValue, directive, inputField
  /// A variable or fragment of the document.
  case variable, fragment
  /// A keyword of the language.
  case keyword
}

/// A completion at the cursor.
package struct CompletionItem: Sendable, Equatable {
  package let label: String
  package let kind: CompletionKind
  /// The schema element that is completed, if there is one.
  package var definition: SchemaElement?
  package var snippet: Snippet
  /// Whether the element is required and still missing.
  package var isRequired = false
  /// Whether the element is already in the selection set or the arguments.
  package var isUsed = false
  /// The byte range of the word being typed.
  package var replacementRange: Range<Int> = 0..<0
  private var ownType: String?

  init(
    label: String, kind: CompletionKind, type: String? = nil, definition: SchemaElement? = nil, snippet: Snippet? = nil,
    isRequired: Bool = false, isUsed: Bool = false
  ) {
    self.label = label
    self.kind = kind
    self.ownType = type
    self.definition = definition
    self.snippet = snippet ?? Snippet(label)
    self.isRequired = isRequired
    self.isUsed = isUsed
  }

  /// Whether the item can be inserted: a field may be selected twice with an alias, but a name in a list of arguments
  /// or in an object is unique.
  var isOffered: Bool {
    switch kind {
    case .argument, .inputField, .variable: !isUsed
    case .field, .type, .enumValue, .directive, .fragment, .keyword: true
    }
  }

  /// The type in GraphQL notation, such as `[Bird!]!`.
  package var type: String? { ownType ?? definition?.typeText }
  /// The description and the deprecation reason as Markdown, read from the schema on access.
  package var documentation: String? { definition?.documentation }
  package var isDeprecated: Bool { definition?.isDeprecated ?? false }
  /// The text that replaces the word being typed.
  package var insertText: String { snippet.text }
}

/// Text to insert, with positions for the cursor.
///
/// The text contains no snippet syntax, so that editors without snippet support can insert it. The positions are
/// separate.
package struct Snippet: Sendable, Equatable {
  package var text: String
  /// Positions in characters from the start of the text, in the order of visits. If empty, the cursor goes to the end.
  package var stops: [Int]

  package init(_ text: String, stops: [Int] = []) {
    self.text = text
    self.stops = stops
  }

  /// Returns `name(first: , second: )` with a stop at each value.
  static func call(_ name: String, _ arguments: [InputValueDefinition]) -> Snippet {
    guard !arguments.isEmpty else { return Snippet(name) }
    var snippet = Snippet(name + "(")
    snippet.append(arguments)
    snippet.text += ")"
    return snippet
  }

  /// Returns `{ first: , second:  }` with a stop at each value, or between the braces.
  static func object(_ fields: [InputValueDefinition]) -> Snippet {
    guard !fields.isEmpty else { return Snippet("{  }", stops: [2]) }
    var snippet = Snippet("{ ")
    snippet.append(fields)
    snippet.text += " }"
    return snippet
  }

  private mutating func append(_ inputs: [InputValueDefinition]) {
    for (index, input) in inputs.enumerated() {
      text += index == 0 ? "\(input.name): " : ", \(input.name): "
      stops.append(text.count)
    }
  }
}
