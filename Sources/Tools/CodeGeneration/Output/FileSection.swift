/// Declarations that belong into files of one name.
struct FileSection {
  let name: String
  let pieces: [Piece]
}

/// One declaration with what belongs to it, and the name by which it is sorted.
struct Piece {
  let name: String
  let text: String
  /// Whether what others see of it names types of the library.
  var namesLibrary = true
}

/// Puts sections into files. Many pieces are spread over files by their first letters, so that a new type changes one
/// file and no compiler job gets too much; few files, as a compiler parses all of them in each of its jobs.
struct FileLayout {
  let folder: String
  /// What stands above a file of these pieces.
  let header: (_ pieces: [Piece]) -> String

  /// What is not longer, in bytes, is one file.
  private static let sizeLimit = 250_000
  /// Pieces whose names are alike in so many letters stay together.
  private static let depthLimit = 8

  func files(_ sections: [FileSection]) -> [GeneratedFile] {
    sections.flatMap { section in
      Group(prefix: "", pieces: section.pieces).split(into: Self.sizeLimit, depth: Self.depthLimit).map { group in
        file(group.prefix.isEmpty ? section.name : "\(section.name)-\(group.prefix)", group.pieces)
      }
    }
  }

  private func file(_ name: String, _ pieces: [Piece]) -> GeneratedFile {
    let text = pieces.map(\.text).joined(separator: "\n")
    return GeneratedFile(path: "\(folder)/\(name).swift", text: header(pieces) + "\n" + text)
  }

  /// Pieces whose names begin alike.
  private struct Group {
    let prefix: String
    let pieces: [Piece]
    var size: Int { pieces.reduce(0) { $0 + $1.text.utf8.count } }

    /// The group whole or, where it is larger than the limit, taken apart by the next letter of its names: the letters that
    /// have most of it become groups of their own, until the rest is small enough.
    func split(into limit: Int, depth: Int) -> [Group] {
      var rest = size
      guard rest > limit, pieces.count > 1, prefix.count < depth else { return [self] }
      var own: [Group] = []
      for group in byNextLetter.sorted(by: { ($1.size, $0.prefix) < ($0.size, $1.prefix) }) where rest > limit {
        own.append(group)
        rest -= group.size
      }
      let taken = Set(own.map(\.prefix))
      let left = pieces.filter { !taken.contains(nextPrefix($0)) }
      return (left.isEmpty ? [] : [Group(prefix: prefix, pieces: left)])
        + own.flatMap { $0.split(into: limit, depth: depth) }
    }

    /// A name that ends here has no next letter, and is in none of them.
    private var byNextLetter: [Group] {
      Dictionary(grouping: pieces, by: nextPrefix).filter { $0.key != prefix }.map { Group(prefix: $0, pieces: $1) }
    }

    private func nextPrefix(_ piece: Piece) -> String { String(piece.name.prefix(prefix.count + 1)).uppercased() }
  }
}
