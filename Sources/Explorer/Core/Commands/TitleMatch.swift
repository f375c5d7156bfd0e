/// How well a command's title has what was typed, blanks left out: the better, the smaller.
struct TitleMatch {
  /// 0: all of it. 1: in one piece from a word's beginning. 2: in one piece. 3: in pieces, each from a word's beginning
  /// (`runop`). 4: letter by letter, not far apart.
  let kind: Int
  /// From the title's beginning, or between the letters.
  let distance: Int

  /// A match of another word for the command.
  static let otherWord = TitleMatch(kind: 2, distance: 1000)

  private init(kind: Int, distance: Int) {
    self.kind = kind
    self.distance = distance
  }

  private struct Letter {
    let character: Character
    let beginsWord: Bool
  }

  /// `nil` where the title does not have it. Letters that lie scattered over a title are no match: what runs an operation
  /// must not be what Enter does for some other word.
  init?(of wanted: String, in title: String) {
    let wanted = Array(wanted)
    var letters: [Letter] = []
    var isInWord = false
    for character in title.lowercased() {
      let isPart = character.isLetter || character.isNumber
      if !character.isWhitespace { letters.append(Letter(character: character, beginsWord: isPart && !isInWord)) }
      isInWord = isPart
    }
    func isPiece(at start: Int) -> Bool {
      start + wanted.count <= letters.count && wanted.indices.allSatisfy { letters[start + $0].character == wanted[$0] }
    }
    let places = letters.indices.filter(isPiece)
    if wanted.isEmpty {
      (kind, distance) = (0, 0)
    } else if wanted == letters.map(\.character) {
      (kind, distance) = (0, 0)
    } else if let place = places.first(where: { letters[$0].beginsWord }) {
      (kind, distance) = (1, place)
    } else if let place = places.first {
      (kind, distance) = (2, place)
    } else if let place = Self.firstOfPieces(wanted[...], in: letters[...]) {
      (kind, distance) = (3, place)
    } else if let gaps = Self.gaps(of: wanted, in: letters), gaps <= wanted.count {
      (kind, distance) = (4, gaps)
    } else {
      return nil
    }
  }

  /// Where the first of the pieces stands.
  private static func firstOfPieces(_ wanted: ArraySlice<Character>, in letters: ArraySlice<Letter>) -> Int? {
    for start in letters.indices where letters[start].beginsWord {
      var length = 0
      while length < wanted.count, start + length < letters.endIndex,
        letters[start + length].character == wanted[wanted.startIndex + length]
      {
        length += 1
        let rest = wanted.dropFirst(length)
        if rest.isEmpty || firstOfPieces(rest, in: letters[(start + length)...]) != nil { return start }
      }
    }
    return nil
  }

  private static func gaps(of wanted: [Character], in letters: [Letter]) -> Int? {
    var rest = wanted[...]
    var gaps = 0
    var gap = 0
    for letter in letters {
      guard let next = rest.first else { break }
      if letter.character == next {
        rest = rest.dropFirst()
        if rest.count < wanted.count - 1 { gaps += gap }
        gap = 0
      } else {
        gap += 1
      }
    }
    return rest.isEmpty ? gaps : nil
  }
}
