import ApusConfiguration
import ApusGraphQLProjects
import ApusPlatform

/// The folder that generated files are written to: files that did not change are left alone, those of former runs that
/// are no longer made are removed, and what a person wrote is never touched.
public struct OutputFolder: Sendable {
  /// What a run did to the folder.
  public struct Outcome: Sendable, Hashable {
    /// The files that were written, by their paths in the folder.
    public var written: [String] = []
    /// The files that were as they should be already.
    public var unchanged: [String] = []
    /// The files of former runs that were removed.
    public var removed: [String] = []
  }

  private let path: String
  /// Where the files may be: the real path of a folder; anywhere if there is none.
  private let bounds: String?

  /// A folder anywhere; it is made when it is first written to.
  public init(_ path: String) {
    self.path = path
    bounds = nil
  }

  /// A folder that lies within `root`, with symbolic links followed, as each of its files has to.
  package init(_ path: String, within root: String) throws(GenerationError) {
    self.path = path
    bounds = Self.realPath(root) ?? root
    guard isWithinBounds(path) else {
      throw failure(path, "it is outside the project (\(bounds ?? root)): name the folder with --output to write there")
    }
  }

  private func isWithinBounds(_ path: String) -> Bool {
    guard let bounds else { return true }
    // Of what is not there yet, the nearest folder that is.
    var existing = path
    var rest: [Substring] = []
    while Self.realPath(existing) == nil {
      // A link to nowhere would become a file somewhere.
      var status = stat()
      guard lstat(existing, &status) != 0 else { return false }
      let parts = existing.split(separator: "/", omittingEmptySubsequences: false)
      rest.append(parts.last ?? "")
      existing = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
      if existing.isEmpty { existing = "/" }
    }
    guard let real = Self.realPath(existing), !rest.contains("..") else { return false }
    return bounds == "/" || real == bounds || real.hasPrefix(bounds + "/")
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Makes the folder hold these files.
  ///
  /// - Throws: `GenerationError` where a file cannot be written or removed, or would take the place of one that was not
  ///   generated.
  public func update(_ files: [GeneratedFile]) throws(GenerationError) -> Outcome {
    var outcome = Outcome()
    for file in files {
      let target = "\(path)/\(file.path)"
      guard isWithinBounds(target) else { throw failure(target, "a link leads out of the project") }
      if let old = contents(target) {
        if old.elementsEqual(file.text.utf8) {
          outcome.unchanged.append(file.path)
          continue
        }
        guard isGenerated(old) else {
          throw failure(target, "it was not generated, and is not overwritten: move it, or choose another output")
        }
      }
      try write(file.text, to: target)
      outcome.written.append(file.path)
    }
    let current = Set(files.map(\.path))
    for old in generatedFiles() where !current.contains(old) {
      guard unlink("\(path)/\(old)") == 0 else { throw failure("\(path)/\(old)", "it cannot be removed") }
      outcome.removed.append(old)
    }
    return outcome
  }

  private func write(_ text: String, to target: String) throws(GenerationError) {
    let folder = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
    do {
      try UserFile.makeFolder(folder, mode: 0o777)
      // What is lost with the power can be generated again.
      try UserFile.replace(target, with: text.utf8, mode: 0o666, isDurable: false)
    } catch {
      throw failure(target, "it cannot be written")
    }
  }

  private func contents(_ target: String) -> [UInt8]? { (try? UserFile.read(target, limit: .max)) ?? nil }

  private func failure(_ file: String, _ message: String) -> GenerationError {
    GenerationError([Diagnostic(file: file, message: message)])
  }

  private func isGenerated(_ contents: [UInt8]) -> Bool { contents.starts(with: CodeGenerator.mark.utf8) }

  private func generatedFiles() -> [String] {
    FilePattern.files(["**/*.swift"], in: path).filter { file in
      isWithinBounds("\(path)/\(file)")
        && contents("\(path)/\(file)").map(isGenerated) == true
    }
  }
}
