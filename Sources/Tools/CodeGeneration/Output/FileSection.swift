/// Declarations that belong into files of one name.
struct FileSection {
  let name: String
  let pieces: [Piece]
}

/// One declaration with what belongs to it, and the name by which it is sorted.
struct Piece {
  let name: String
  let text: String
}

/// Puts sections into files: many pieces are spread over files by their first letters, so that one compiler job never
/// gets too much, and a new type changes one file.
struct FileLayout {
  let header: String
  let folder: String

  /// A section up to this many characters is one file.
  private static let sizeLimit = 120_000

  func files(_ sections: [FileSection]) -> [GeneratedFile] {
    sections.flatMap { section in
      if section.pieces.reduce(0, { $0 + $1.text.utf8.count }) <= Self.sizeLimit {
        return [file(section.name, section.pieces)]
      }
      return groups(section.pieces[...], depth: 1).map { file("\(section.name)-\($0.prefix)", $0.pieces) }
    }
  }

  private func groups(_ pieces: ArraySlice<Piece>, depth: Int) -> [(prefix: String, pieces: [Piece])] {
    var groups: [(prefix: String, pieces: [Piece])] = []
    for piece in pieces {
      let prefix = String(piece.name.prefix(depth)).uppercased()
      if groups.last?.prefix == prefix {
        groups[groups.count - 1].pieces.append(piece)
      } else if let index = groups.firstIndex(where: { $0.prefix == prefix }) {
        groups[index].pieces.append(piece)
      } else {
        groups.append((prefix, [piece]))
      }
    }
    return groups.flatMap { group in
      let size = group.pieces.reduce(0) { $0 + $1.text.utf8.count }
      let canSplit = group.pieces.count > 1 && depth < 6
      return size > Self.sizeLimit && canSplit ? self.groups(group.pieces[...], depth: depth + 1) : [group]
    }
  }

  private func file(_ name: String, _ pieces: [Piece]) -> GeneratedFile {
    GeneratedFile(
      path: "\(folder)/\(name).swift", text: header + "\n" + pieces.map(\.text).joined(separator: "\n"))
  }
}
