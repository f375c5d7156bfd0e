/// Declarations for files with one name.
struct FileSection {
  let name: String
  let pieces: [Piece]
}

/// A declaration with its extensions, and the name for sorting.
struct Piece {
  let name: String
  let text: String
  /// Whether its interface uses types of the library.
  var namesLibrary = true
}

extension GenerationSettings {
  /// Whether enums use the library in their interface. The compiler does not count a conformance as a use of a package
  /// import.
  var enumsNameLibrary: Bool { access != .package }
}

/// Distributes sections over files. Many pieces are divided by their first letters, so that a new type changes only one
/// file and compiler jobs stay small. There are few files, because a compiler parses all of them in each job.
struct FileLayout {
  let folder: String
  /// The header of a file with the given pieces.
  let header: (_ pieces: [Piece]) -> String

  /// The size in bytes up to which pieces form one file.
  private static let sizeLimit = 250_000
  /// Pieces whose names agree in this many letters stay together.
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

  /// Pieces whose names have a common prefix.
  private struct Group {
    let prefix: String
    let pieces: [Piece]
    var size: Int { pieces.reduce(0) { $0 + $1.text.utf8.count } }

    /// Returns the group, or if it is larger than the limit, divides it by the next letter: the largest subgroups are
    /// split off until the rest is small enough.
    func split(into limit: Int, depth: Int) -> [Group] {
      var rest = size
      guard rest > limit, pieces.count > 1, prefix.count < depth else { return [self] }
      var direct: [Group] = []
      for group in byNextLetter.sorted(by: { ($1.size, $0.prefix) < ($0.size, $1.prefix) }) where rest > limit {
        direct.append(group)
        rest -= group.size
      }
      let taken = Set(direct.map(\.prefix))
      let left = pieces.filter { !taken.contains(nextPrefix($0)) }
      return (left.isEmpty ? [] : [Group(prefix: prefix, pieces: left)])
        + direct.flatMap { $0.split(into: limit, depth: depth) }
    }

    /// The subgroups by the next letter. A name that ends here is in none of them.
    private var byNextLetter: [Group] {
      Dictionary(grouping: pieces, by: nextPrefix).filter { $0.key != prefix }.map { Group(prefix: $0, pieces: $1) }
    }

    private func nextPrefix(_ piece: Piece) -> String { String(piece.name.prefix(prefix.count + 1)).uppercased() }
  }
}
