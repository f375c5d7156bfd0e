import ApusPlatform

/// The files that a search found, sorted, and those that it rejected.
package struct FileList: Equatable, Sendable {
  package var files: [String] = []
  package var refusals: [FileRefusal] = []

  package init(files: [String] = [], refusals: [FileRefusal] = []) {
    self.files = files
    self.refusals = refusals
  }
}

extension ProjectRoot {
  /// Returns the files that a pattern matches and no pattern with `!` excludes, relative to a folder.
  ///
  /// Skips hidden files, `node_modules` and links to folders, visits at most `limit` files and folders, and rejects those
  /// outside the region.
  ///
  /// - Parameter respectsIgnoreRules: Whether files that git ignores are skipped.
  package func files(
    _ patterns: [String], in folder: String, limit: Int = 500_000, respectsIgnoreRules: Bool = false
  ) -> FileList {
    var search = FileSearch(root: self, folder: folder, patterns: patterns, limit: limit)
    search.respectsIgnoreRules = respectsIgnoreRules
    return search.run()
  }
}

/// A single search for files.
private struct FileSearch {
  /// A file, or a link to a folder, that the search visits.
  struct Entry {
    let path: String
    var refusal: FileRefusal.Reason?
  }

  let root: ProjectRoot
  let folder: String
  let limit: Int
  var respectsIgnoreRules = false
  private let requested: FilePattern.Alternatives
  private let unwanted: FilePattern.Alternatives
  private let matching: FilePatternMatcher
  private let excluding: FilePatternMatcher
  private var count = 0
  private var found: Set<FilePath> = []
  private var refused: [FilePath: FileRefusal] = [:]

  init(root: ProjectRoot, folder: String, patterns: [String], limit: Int) {
    self.root = root
    self.folder = folder
    self.limit = limit
    (requested, unwanted) = FilePattern.split(patterns)
    matching = FilePatternMatcher(requested.patterns.filter(FilePattern.hasWildcard))
    excluding = FilePatternMatcher(unwanted.patterns)
  }

  mutating func run() -> FileList {
    for pattern in [requested.leftOut, unwanted.leftOut].compactMap({ $0 }) {
      refused[FilePath(pattern)] = FileRefusal(FilePattern.shortened(pattern), .tooManyAlternatives)
    }
    // Only items below the part without wildcards can match. Patterns with the same such part share one search.
    var starts: [String] = []
    var knownStarts: Set<FilePath> = []
    for pattern in requested.patterns {
      guard FilePattern.hasWildcard(pattern) else {
        let path = FilePattern.path(of: pattern)
        add(Entry(path: path, refusal: refusal(of: path)))
        continue
      }
      let start = FilePattern.fixedPart(of: pattern)
      if knownStarts.insert(FilePath(start)).inserted { starts.append(start) }
    }
    for start in starts {
      for entry in walk(start) where entry.refusal == .linkToFolder || matching.matches(entry.path) { add(entry) }
    }
    for pattern in [matching.exhaustingPattern, excluding.exhaustingPattern].compactMap(\.self) {
      refused[FilePath(pattern)] = FileRefusal(FilePattern.shortened(pattern), .tooMuchWork)
    }
    return FileList(files: found.sorted().map(\.description), refusals: refused.sorted { $0.key < $1.key }.map(\.value))
  }

  private mutating func add(_ entry: Entry) {
    // A pattern such as `folder/**` excludes the contents of a folder.
    let path = entry.refusal == .linkToFolder ? "\(entry.path)/_" : entry.path
    if excluding.matches(path) || excluding.matches(entry.path) { return }
    let key = FilePath(entry.path)
    if let reason = entry.refusal { refused[key] = FileRefusal(entry.path, reason) } else { found.insert(key) }
  }

  private func absolute(_ path: String) -> String { FilePattern.absolute(path, in: folder) }

  /// Returns the reason why a path is rejected; `nil` if it exists inside the region.
  private func refusal(of path: String) -> FileRefusal.Reason? {
    guard let real = FilePath(real: absolute(path)) else { return .missing }
    return root.region.contains(real) ? nil : .outside("\(root.region)")
  }

  // MARK: Walking

  /// Returns the files below a folder, which may be reached by links if it is inside the region.
  private mutating func walk(_ start: String) -> [Entry] {
    guard let real = FilePath(real: absolute(start)) else { return [] }
    guard root.region.contains(real) else {
      refused[FilePath(start)] = FileRefusal(start, .outside("\(root.region)"))
      return []
    }
    var entries: [Entry] = []
    var pending = [
      (path: start, real: real, ignored: respectsIgnoreRules ? IgnoreRulesOfFolder(repositoryAround: real) : nil)
    ]
    while let (path, real, ignored) = pending.popLast() {
      guard let children = children(of: real) else { continue }
      for (name, kind) in children {
        guard count < limit else {
          refused[FilePath(path)] = FileRefusal(absolute(path), .tooMany(limit: limit))
          return entries
        }
        count += 1
        let text = String(decoding: name.bytes, as: UTF8.self)
        let child = path.isEmpty ? text : path.hasSuffix("/") ? path + text : "\(path)/\(text)"
        let place = real.appending(name.bytes)
        if ignored?.ignores(place, isFolder: kind == .folder) == true { continue }
        switch kind {
        case .folder:
          var inner = ignored
          inner?.enter(place)
          pending.append((child, place, inner))
        case .file where !isUTF8(place), .link where !isUTF8(place):
          entries.append(Entry(path: child, refusal: .nameNotUTF8))
        case .file: entries.append(Entry(path: child))
        case .link: if let entry = entry(ofLink: child, at: place) { entries.append(entry) }
        case .other: break
        }
      }
    }
    return entries
  }

  private func isUTF8(_ path: FilePath) -> Bool { String(validating: path.bytes, as: UTF8.self) != nil }

  /// Returns the entry for a link to a file or folder; `nil` for a link to a pipe, a device or nothing.
  private func entry(ofLink path: String, at place: FilePath) -> Entry? {
    guard let status = place.status(followsLinks: true) else { return nil }
    switch EntryKind(status) {
    case .folder: return Entry(path: path, refusal: .linkToFolder)
    case .file: return Entry(path: path, refusal: refusal(of: path))
    case .link, .other: return nil
    }
  }

  /// Returns the items of a folder; `nil`, with a refusal, for a folder that cannot be read.
  private mutating func children(of folder: FilePath) -> [(name: FilePath, kind: EntryKind)]? {
    let descriptor = folder.bytes.withCString { open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    guard descriptor >= 0 else {
      if errno == EACCES { refused[folder] = FileRefusal("\(folder)", .unreadable(code: errno)) }
      return nil
    }
    guard let directory = fdopendir(descriptor) else {
      close(descriptor)
      return nil
    }
    defer { closedir(directory) }
    var children: [(name: FilePath, kind: EntryKind)] = []
    while let entry = readdir(directory), children.count <= limit {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { FilePath($0.prefix { $0 != 0 }) }
      guard name.bytes.first != UInt8(ascii: "."), name != Self.packages else { continue }
      children.append((name, EntryKind(entry.pointee.d_type) ?? EntryKind(folder.appending(name.bytes))))
    }
    return children
  }

  private static let packages = FilePath("node_modules")
}

/// The kinds of directory entries that the search distinguishes.
private enum EntryKind {
  case folder, file, link, other

  /// Returns `nil` if the file system does not provide the kind.
  init?(_ type: UInt8) {
    switch Int(type) {
    case Int(DT_DIR): self = .folder
    case Int(DT_REG): self = .file
    case Int(DT_LNK): self = .link
    case Int(DT_UNKNOWN): return nil
    default: self = .other
    }
  }

  init(_ path: FilePath) {
    self = path.status(followsLinks: false).map(EntryKind.init) ?? .other
  }

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: self = .folder
    case S_IFREG: self = .file
    case S_IFLNK: self = .link
    default: self = .other
    }
  }
}
