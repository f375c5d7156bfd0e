import ApusASCII

/// Expansions that are evaluated without a shell: arrays of bash, such as `ARGS=(-H "X-A: b")` and `"${ARGS[@]}"`, and the
/// contents of files, such as `$(cat query.graphql)`.
extension ShellScript {
  /// The maximum number of words that all arrays contribute.
  static let mostArrayWords = 100_000

  /// Reads the assignment of an array: `NAME=(…)` or `NAME+=(…)`. Returns false if there is none.
  mutating func readArray() -> Bool {
    guard byte(0)?.isNameStart == true else { return false }
    let name = bytes[offset...].prefix { $0.isNameByte }
    let isAdded = byte(name.count) == UInt8(ascii: "+")
    let open = name.count + (isAdded ? 2 : 1)
    guard byte(open - 1) == UInt8(ascii: "="), byte(open) == UInt8(ascii: "(") else { return false }
    offset += open + 1
    let key = String(decoding: name, as: UTF8.self)
    var words = isAdded ? arrays[key] ?? [] : []
    while let next = byte(0), next != UInt8(ascii: ")") {
      let end = lineEnd()
      switch next {
      case _ where end > 0: offset += end
      case UInt8(ascii: " "), UInt8(ascii: "\t"): offset += 1
      case UInt8(ascii: "#"): skipLine()
      case UInt8(ascii: "\\") where lineEnd(1) > 0: offset += 1 + lineEnd(1)
      default:
        let start = offset
        words += elements(of: readWord())
        if offset == start { offset += 1 }
      }
    }
    offset = min(bytes.count, offset + 1)
    arrays[key] = words
    return true
  }

  /// Returns the elements of the array that a word consists of, or the word itself.
  mutating func elements(of word: ShellWord) -> [ShellWord] {
    guard word.parts.count == 1, case .unevaluated(let source)? = word.parts.first else { return [word] }
    let text = String(decoding: source, as: UTF8.self)
    guard text.hasPrefix("${"), text.hasSuffix("[@]}") || text.hasSuffix("[*]}"),
      let words = arrays[String(text.dropFirst(2).dropLast(4))], words.count <= arrayRoom
    else { return [word] }
    arrayRoom -= words.count
    return words
  }

  /// The prefix of a variable for the contents of a file.
  static let filePrefix = "file:"

  /// Returns the variable for `$(cat NAME)` or `$(<NAME)`, if the name is plain and that of a document or JSON. Other files,
  /// which may contain a token, are not read.
  static func fileVariable(_ source: some Sequence<UInt8>) -> String? {
    let text = String(decoding: Array(source), as: UTF8.self).dropFirst(2).dropLast()
    let start = text.drop { $0 == " " }
    guard let mark = ["cat ", "<"].first(where: start.hasPrefix) else { return nil }
    let name = start.dropFirst(mark.count).split(separator: " ", omittingEmptySubsequences: true)
    guard name.count == 1, name[0].utf8.allSatisfy({ $0.isNameByte || "./-".utf8.contains($0) }),
      [".graphql", ".gql", ".json"].contains(where: name[0].hasSuffix)
    else { return nil }
    return filePrefix + name[0]
  }
}
