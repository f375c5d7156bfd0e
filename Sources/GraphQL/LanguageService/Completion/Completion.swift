import ApusGraphQLLanguage
import ApusGraphQLSchema

extension LanguageService {
  /// Returns completions at a byte offset, best first: labels that start with the typed word, then labels that contain
  /// its letters in order. Deprecated elements follow others, and selected fields come last. Arguments and input fields
  /// that are there already are left out.
  package func complete(at offset: Int) -> [CompletionItem] {
    let offset = max(0, min(offset, document.source.bytes.count))
    guard let place = CompletionContext(at: offset, in: document) else { return [] }
    let context = CursorContextReader.context(after: place.before, in: document, schema: schema)
    let candidates = CompletionCandidates(service: self, place: place).items(for: context)
    return CompletionRanking.rank(
      candidates.filter(\.isOffered), typed: document.source.text(place.replaced.lowerBound..<offset)
    )
    .map { item in
      var item = item
      item.replacementRange = place.replaced
      return item
    }
  }
}

/// The position of the cursor for completion: the word that is being typed and the tokens before it.
struct CompletionContext {
  /// The range of the word at or before the cursor, up to the word's end.
  let replaced: Range<Int>
  /// Tokens before the word.
  let before: ArraySlice<Token>
  let selectionSet: SelectionSetNode?
  private let document: Document

  /// Returns `nil` inside a comment, a string or a number, where there are no completions.
  init?(at offset: Int, in document: Document) {
    let reading = CursorTokens(before: offset, in: document)
    var before = reading.tokens[...]
    var replaced = offset..<offset
    if let last = before.last {
      switch last.kind {
      case .comment:
        guard last.range.upperBound < offset else { return nil }
      case .string, .blockString:
        let isOpen = last.range.upperBound == offset && !Self.isTerminated(last, in: document)
        guard last.range.upperBound <= offset, !isOpen else { return nil }
      case .int, .float:
        guard last.range.upperBound < offset else { return nil }
      case .name where last.range.upperBound >= offset:
        replaced = last.range
        before = before.dropLast()
      default: break
      }
    }
    // A cursor right before a word belongs to that word.
    if replaced.isEmpty, let next = document.tokens(from: offset, to: offset + 1).first, next.kind == .name {
      replaced = offset..<next.range.upperBound
    }
    self.document = document
    self.replaced = replaced
    self.before = before
    selectionSet = reading.selectionSet
  }

  private static func isTerminated(_ token: Token, in document: Document) -> Bool {
    let bytes = document.source.bytes[token.range]
    let quotes = token.kind == .blockString ? 3 : 1
    return bytes.count >= 2 * quotes && bytes.suffix(quotes).allSatisfy { $0 == UInt8(ascii: "\"") }
  }

  /// Whether a character follows the word, ignoring spaces.
  func isFollowed(by byte: Character) -> Bool {
    let bytes = document.source.bytes
    var position = replaced.upperBound
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
    return position < bytes.count && bytes[position] == byte.asciiValue
  }

  /// Whether the word is the first one on its line.
  var beginsLine: Bool {
    let bytes = document.source.bytes[..<replaced.lowerBound]
    return bytes.last { $0 != 0x20 && $0 != 0x09 }.map { $0 == 0x0A || $0 == 0x0D } ?? true
  }

  /// Names of the other arguments around the cursor.
  var givenArguments: Set<String> { names(.argument, beside: [.field, .directive, .fragmentSpread]) }

  /// Names of the other fields in the object around the cursor.
  var givenFields: Set<String> { names(.objectField, beside: [.objectValue]) }

  private func names(_ kind: SyntaxKind, beside parents: Set<SyntaxKind>) -> Set<String> {
    let bearers: Set<SyntaxKind> = [.field, .directive, .fragmentSpread, .objectValue]
    let bearer = document.nodes(containing: replaced.lowerBound).last { bearers.contains($0.kind) }
    guard let bearer, parents.contains(bearer.kind) else { return [] }
    let children = document.children(of: bearer.id).filter { document.nodes[Int($0)].kind == kind }
    return Set(children.map { NameNode(document, $0 + 1) }.filter { $0.range != replaced }.map(\.value))
  }

  /// Names of the other fields in the selection set.
  var selectedNames: Set<String> {
    guard let selectionSet else { return [] }
    var names: Set<String> = []
    for case .field(let field) in selectionSet.selections where field.name.range != replaced {
      names.insert(field.name.value)
    }
    return names
  }
}
