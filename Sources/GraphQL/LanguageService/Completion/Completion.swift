import ApusGraphQLLanguage
import ApusGraphQLSchema

extension LanguageService {
  /// What may be written at a byte offset, best first: what begins with the word being typed, then what has its letters
  /// in order; what is not deprecated before what is; what is selected already last.
  package func complete(at offset: Int) -> [CompletionItem] {
    let offset = max(0, min(offset, document.source.bytes.count))
    guard let place = CompletionPlace(at: offset, in: document) else { return [] }
    let context = CursorContextReader.context(after: place.before, in: document, schema: schema)
    let candidates = CompletionCandidates(service: self, place: place).items(for: context)
    return CompletionRanking.rank(candidates, typed: document.source.text(place.replaced.lowerBound..<offset))
      .map { item in
        var item = item
        item.replaces = place.replaced
        return item
      }
  }
}

/// Where something is being typed: the word that it is part of and the tokens before that.
struct CompletionPlace {
  /// The word that the cursor is in or behind, up to its end.
  let replaced: Range<Int>
  /// The tokens that lead to the word.
  let before: ArraySlice<Token>
  let selectionSet: SelectionSetNode?
  private let document: Document

  /// Nil inside a comment, a string or a number: nothing is offered there.
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
    // The cursor before a word is at it.
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

  /// Whether a character follows the word, spaces left out.
  func isFollowed(by byte: Character) -> Bool {
    let bytes = document.source.bytes
    var position = replaced.upperBound
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
    return position < bytes.count && bytes[position] == byte.asciiValue
  }

  /// Whether the word is the first on its line, or the text is empty before it.
  var beginsLine: Bool {
    let bytes = document.source.bytes[..<replaced.lowerBound]
    return bytes.last { $0 != 0x20 && $0 != 0x09 }.map { $0 == 0x0A || $0 == 0x0D } ?? true
  }

  /// The arguments that are given beside the word.
  var givenArguments: Set<String> { names(.argument, beside: [.field, .directive, .fragmentSpread]) }

  /// The fields of the object that the word is in which are given beside it.
  var givenFields: Set<String> { names(.objectField, beside: [.objectValue]) }

  private func names(_ kind: SyntaxKind, beside parents: Set<SyntaxKind>) -> Set<String> {
    let bearers: Set<SyntaxKind> = [.field, .directive, .fragmentSpread, .objectValue]
    let bearer = document.nodes(containing: replaced.lowerBound).last { bearers.contains($0.kind) }
    guard let bearer, parents.contains(bearer.kind) else { return [] }
    let children = document.children(of: bearer.id).filter { document.nodes[Int($0)].kind == kind }
    return Set(children.map { NameNode(document, $0 + 1) }.filter { $0.range != replaced }.map(\.value))
  }

  /// The fields selected beside the word.
  var selectedNames: Set<String> {
    guard let selectionSet else { return [] }
    var names: Set<String> = []
    for case .field(let field) in selectionSet.selections where field.name.range != replaced {
      names.insert(field.name.value)
    }
    return names
  }
}
