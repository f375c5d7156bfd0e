import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Something that may be written at the cursor.
package struct CompletionItem: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case field, argument, type, enumValue, variable, directive, fragment, inputField, keyword
  }

  package let label: String
  package let kind: Kind
  /// What the schema knows of it.
  package var definition: SchemaElement?
  package var snippet: Snippet
  /// It must be given, and is not given yet.
  package var isRequired = false
  /// It is in the selection or the arguments already.
  package var isUsed = false
  /// The byte range of the word being typed.
  package var replaces: Range<Int> = 0..<0
  private var ownType: String?

  init(
    label: String, kind: Kind, type: String? = nil, definition: SchemaElement? = nil, snippet: Snippet? = nil,
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

  /// The type as GraphQL writes it, such as `[Bird!]!`.
  package var type: String? { ownType ?? definition?.typeText }
  /// The description and the reason of a deprecation, as Markdown. Read from the schema when asked for.
  package var documentation: String? { definition?.documentation }
  package var isDeprecated: Bool { definition?.isDeprecated ?? false }
  /// What replaces the word being typed.
  package var insertText: String { snippet.text }
}

/// A text to insert, with the places that its writer will want to go to.
///
/// The text is plain, fit to be inserted by whoever knows nothing of snippets; the places stand beside it.
package struct Snippet: Sendable, Equatable {
  package var text: String
  /// In characters from the text's start, in the order in which they are visited. Without any, the end is meant.
  package var stops: [Int]

  package init(_ text: String, stops: [Int] = []) {
    self.text = text
    self.stops = stops
  }

  /// `name(first: , second: )`, with a stop at each value.
  static func call(_ name: String, _ arguments: [InputValueDefinition]) -> Snippet {
    guard !arguments.isEmpty else { return Snippet(name) }
    var snippet = Snippet(name + "(")
    snippet.append(arguments)
    snippet.text += ")"
    return snippet
  }

  /// `{ first: , second:  }`, with a stop at each value, or between the braces.
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
