import ApusPlatform

/// The rules of a `.gitignore` file for the items below its folder: `*.log` ignores files anywhere, `/build/` only the
/// folder next to the file, and `!a.log` is an exception.
///
/// Source: git, "gitignore".
struct IgnoreRules: Sendable {
  private struct Rule: Sendable {
    let isNegated: Bool
    let isForFolders: Bool
  }

  private let rules: [Rule]
  private let matcher: FilePatternMatcher
  /// The rules of each pattern of the matcher, in order.
  private let rulesOfPattern: [[Int]]

  private static let sizeLimit = 1 << 18

  /// Reads the rules of a folder; `nil` if it has none.
  init?(ofFolder folder: FilePath) {
    let file = folder.appending(".gitignore".utf8)
    guard file.status(followsLinks: false)?.st_mode.isRegular == true,
      let root = ProjectRoot.folder("\(folder)"), let bytes = try? root.read("\(file)", limit: Self.sizeLimit)
    else { return nil }
    self.init(text: String(decoding: bytes, as: UTF8.self))
  }

  init(text: String) {
    var rules: [Rule] = []
    var patterns: [String] = []
    var rulesOfPattern: [[Int]] = []
    var indices: [String: Int] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      var pattern = Substring(line)
      while pattern.hasSuffix(" "), !pattern.hasSuffix("\\ ") { pattern.removeLast() }
      guard !pattern.isEmpty, !pattern.hasPrefix("#") else { continue }
      let isNegated = pattern.hasPrefix("!")
      if isNegated { pattern.removeFirst() }
      let isForFolders = pattern.hasSuffix("/")
      if isForFolders { pattern.removeLast() }
      let isAnchored = pattern.contains("/")
      // Groups are not part of the syntax.
      let escaped = pattern.replacing("(", with: "\\(").replacing("\\\\(", with: "\\(")
      let text = isAnchored ? String(escaped) : "**/\(escaped)"
      let index = indices[text] ?? patterns.count
      if index == patterns.count {
        indices[text] = index
        patterns.append(text)
        rulesOfPattern.append([])
      }
      rulesOfPattern[index].append(rules.count)
      rules.append(Rule(isNegated: isNegated, isForFolders: isForFolders))
    }
    self.rules = rules
    self.rulesOfPattern = rulesOfPattern
    matcher = FilePatternMatcher(patterns)
  }

  /// Whether the rules ignore an item, by its path relative to their folder; `nil` if no rule is about it.
  func ignores(_ path: String, isFolder: Bool) -> Bool? {
    let matching = matcher.patternIndices(matching: path).flatMap { rulesOfPattern[$0] }
    return matching.filter { isFolder || !rules[$0].isForFolders }.max().map { !rules[$0].isNegated }
  }
}

/// The rules that hold in a folder: its own and those of the folders above it.
struct IgnoreRulesOfFolder: Sendable {
  private var levels: [(folder: FilePath, rules: IgnoreRules)] = []

  /// Reads the rules from the repository's root down to a folder.
  init(repositoryAround folder: FilePath) {
    var folders: [FilePath] = []
    var current = folder
    while true {
      folders.append(current)
      if current.appending(".git".utf8).status(followsLinks: true) != nil { break }
      guard current.bytes.count > 1 else {
        folders = [folder]
        break
      }
      current = current.folder
    }
    for folder in folders.reversed() { enter(folder) }
  }

  /// Adds the rules of a folder inside the last one.
  mutating func enter(_ folder: FilePath) {
    if let rules = IgnoreRules(ofFolder: folder) { levels.append((folder, rules)) }
  }

  func ignores(_ path: FilePath, isFolder: Bool) -> Bool {
    for (folder, rules) in levels.reversed() {
      guard let names = folder.components(of: path) else { continue }
      let relative = "\(FilePath(names.joined(separator: "/".utf8)))"
      if let decision = rules.ignores(relative, isFolder: isFolder) { return decision }
    }
    return false
  }
}

extension mode_t {
  fileprivate var isRegular: Bool { self & S_IFMT == S_IFREG }
}
