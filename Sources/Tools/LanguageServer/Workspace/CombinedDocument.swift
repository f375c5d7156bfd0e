import ApusAlgorithms
import ApusGraphQLLanguage
import ApusGraphQLProjects

/// Units of several files combined into one document, to be validated or searched together. Offsets in the first unit
/// are unchanged.
struct CombinedDocument {
  struct Member {
    let file: TextFile
    let unit: GraphQLRegion
  }

  let document: Document
  let members: [Member]
  private let starts: [Int]

  init(_ members: [Member]) {
    self.members = members
    document =
      members.count == 1 ? members[0].unit.document : Document(joining: members.map(\.unit.document))
    var starts: [Int] = []
    var start = 0
    for member in members {
      starts.append(start)
      // Units are separated by a line feed.
      start += member.unit.document.source.bytes.count + 1
    }
    self.starts = starts
  }

  /// Combines a unit with all other units of files.
  init(_ first: Member, and files: [TextFile]) {
    let others = files.flatMap { file in file.units.map { Member(file: file, unit: $0) } }
    self.init([first] + others.filter { $0.unit.document !== first.unit.document })
  }

  /// Returns the file and the range in it that correspond to a range of the combined document; nil if it is in no unit.
  func location(of range: Range<Int>) -> (file: TextFile, unit: GraphQLRegion, range: Range<Int>)? {
    guard !members.isEmpty else { return nil }
    let index = max(0, starts.partitioningIndex { $0 > range.lowerBound } - 1)
    let member = members[index]
    let size = member.unit.document.source.bytes.count
    let lower = min(range.lowerBound - starts[index], size)
    let upper = min(max(range.upperBound - starts[index], lower), size)
    return (member.file, member.unit, member.unit.start + lower..<member.unit.start + upper)
  }
}
