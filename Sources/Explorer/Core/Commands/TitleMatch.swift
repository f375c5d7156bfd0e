/// The quality of a match between a command's title and typed text, ignoring whitespace. Smaller values are better.
struct TitleMatch {
  /// The kind of match:
  /// - 0: equal
  /// - 1: contiguous from the start of a word
  /// - 2: contiguous
  /// - 3: in pieces that each start a word (`runop`)
  /// - 4: a subsequence with few gaps
  let kind: Int
  /// The offset from the start of the title or, for kind 4, the number of characters skipped.
  let distance: Int

  /// A match of the command's name or a synonym.
  static let otherWord = TitleMatch(kind: 2, distance: 1000)

  private init(kind: Int, distance: Int) {
    self.kind = kind
    self.distance = distance
  }

  private struct Letter {
    let character: Character
    let beginsWord: Bool
  }

  /// Returns `nil` if the title does not match. Characters scattered over a title do not match, so that Enter does not
  /// run an unrelated command.
  init?(of query: String, in title: String) {
    let query = Array(query)
    var letters: [Letter] = []
    var isInWord = false
    for character in title.lowercased() {
      let isPart = character.isLetter || character.isNumber
      if !character.isWhitespace { letters.append(Letter(character: character, beginsWord: isPart && !isInWord)) }
      isInWord = isPart
    }
    func isPiece(at start: Int) -> Bool {
      start + query.count <= letters.count && query.indices.allSatisfy { letters[start + $0].character == query[$0] }
    }
    let pieces = letters.indices.filter(isPiece)
    if query.isEmpty {
      (kind, distance) = (0, 0)
    } else if query == letters.map(\.character) {
      (kind, distance) = (0, 0)
    } else if let index = pieces.first(where: { letters[$0].beginsWord }) {
      (kind, distance) = (1, index)
    } else if let index = pieces.first {
      (kind, distance) = (2, index)
    } else if let index = Self.firstOfPieces(query[...], in: letters[...]) {
      (kind, distance) = (3, index)
    } else if let gaps = Self.gaps(of: query, in: letters), gaps <= query.count {
      (kind, distance) = (4, gaps)
    } else {
      return nil
    }
  }

  /// Returns the index of the first piece.
  private static func firstOfPieces(_ query: ArraySlice<Character>, in letters: ArraySlice<Letter>) -> Int? {
    for start in letters.indices where letters[start].beginsWord {
      var length = 0
      while length < query.count, start + length < letters.endIndex,
        letters[start + length].character == query[query.startIndex + length]
      {
        length += 1
        let rest = query.dropFirst(length)
        if rest.isEmpty || firstOfPieces(rest, in: letters[(start + length)...]) != nil { return start }
      }
    }
    return nil
  }

  private static func gaps(of query: [Character], in letters: [Letter]) -> Int? {
    var rest = query[...]
    var gaps = 0
    var gap = 0
    for letter in letters {
      guard let next = rest.first else { break }
      if letter.character == next {
        rest = rest.dropFirst()
        if rest.count < query.count - 1 { gaps += gap }
        gap = 0
      } else {
        gap += 1
      }
    }
    return rest.isEmpty ? gaps : nil
  }
}
