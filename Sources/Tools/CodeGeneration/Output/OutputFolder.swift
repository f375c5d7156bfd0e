import ApusConfiguration
import ApusGraphQLProjects
import ApusPlatform

/// The folder for generated files. Unchanged files are not written, generated files that are obsolete are removed, and
/// other files are never changed.
public struct OutputFolder: Sendable {
  /// The changes of a run.
  public struct Outcome: Sendable, Hashable {
    /// The written files, relative to the folder.
    public var written: [String] = []
    /// The files that were already up to date.
    public var unchanged: [String] = []
    /// The files of previous runs that were removed.
    public var removed: [String] = []
  }

  private let path: String
  /// The project that must contain the files; nil if the user named the folder.
  private let bounds: ProjectRoot?

  /// Creates an output folder at any path. The folder itself is created on the first write.
  public init(_ path: String) {
    self.path = path
    bounds = nil
  }

  /// Creates an output folder that must be inside a project, after resolving symbolic links.
  package init(_ path: String, within root: ProjectRoot) throws(GenerationError) {
    self.path = path
    bounds = root
    guard (try? root.resolvedPath(path)) != nil else {
      throw failure(path, "it is outside the project (\(root.region)): name the folder with --output to write there")
    }
  }

  /// Returns the root that must contain the files. A folder that the user named is created.
  private func root() throws(GenerationError) -> ProjectRoot {
    if let bounds { return bounds }
    do throws(ConfigurationError) {
      try UserFile.makeFolder(path, mode: 0o777)
    } catch {
      throw failure(path, error.message)
    }
    guard let root = ProjectRoot.folder(path) else { throw failure(path, "it is not a folder") }
    return root
  }

  /// Writes the files to the folder.
  ///
  /// - Throws: `GenerationError` if a file cannot be written or removed, or would replace a file that was not
  ///   generated.
  public func update(_ files: [GeneratedFile]) throws(GenerationError) -> Outcome {
    var outcome = Outcome()
    if files.isEmpty, FilePath(real: path) == nil { return outcome }
    let root = try root()
    for file in files {
      let target = "\(path)/\(file.path)"
      let old = try contents(target, root)
      if let old {
        if old.elementsEqual(file.text.utf8) {
          outcome.unchanged.append(file.path)
          continue
        }
        guard isGenerated(old) else {
          throw failure(target, "it was not generated, and is not overwritten: move it, or choose another output")
        }
      }
      try write(file.text, to: target, over: old, root)
      outcome.written.append(file.path)
    }
    let current = Set(files.map(\.path))
    for old in try generatedFiles(root) where !current.contains(old) {
      guard unlink("\(path)/\(old)") == 0 else { throw failure("\(path)/\(old)", "it cannot be removed") }
      outcome.removed.append(old)
    }
    return outcome
  }

  private func write(
    _ text: String, to target: String, over old: [UInt8]?, _ root: ProjectRoot
  ) throws(GenerationError) {
    do throws(FileRefusal) {
      // The files can be generated again after a power failure.
      try root.replace(target, with: text.utf8, over: old, mode: 0o666, isDurable: false)
    } catch {
      throw failure(error)
    }
  }

  /// Returns the contents of a file; nil if it does not exist.
  private func contents(_ target: String, _ root: ProjectRoot) throws(GenerationError) -> [UInt8]? {
    do throws(FileRefusal) {
      return try root.read(target)
    } catch {
      guard error.reason == .missing else { throw failure(error) }
      return nil
    }
  }

  private func failure(_ refusal: FileRefusal) -> GenerationError {
    guard case .outside(let region) = refusal.reason else { return failure(refusal.path, refusal.explanation) }
    return failure(refusal.path, "a link leads out of the project (\(region)): remove it")
  }

  private func failure(_ file: String, _ message: String) -> GenerationError {
    GenerationError([GenerationDiagnostic(file: file, message: message)])
  }

  private func isGenerated(_ contents: [UInt8]) -> Bool { contents.starts(with: CodeGenerator.mark.utf8) }

  private func generatedFiles(_ root: ProjectRoot) throws(GenerationError) -> [String] {
    root.files(["**/*.swift"], in: path).files.filter { file in
      (try? contents("\(path)/\(file)", root))?.map(isGenerated) == true
    }
  }
}
