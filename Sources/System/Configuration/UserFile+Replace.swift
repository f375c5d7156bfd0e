import ApusPlatform

extension UserFile {
  /// Creates a folder and its parents, by default accessible only to the user.
  package static func makeFolder(_ path: String, mode: UInt16 = 0o700) throws(ConfigurationError) {
    var built = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      built += "/\(part)"
      if mkdir(built, mode_t(mode)) == 0 { continue }
      guard errno == EEXIST else {
        throw ConfigurationError(file: path, "cannot create the directory: \(String(cString: strerror(errno)))")
      }
      var status = stat()
      guard stat(built, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        let name = path.hasPrefix("/") ? built : String(built.dropFirst(2))
        throw ConfigurationError(file: path, "cannot create the directory: \(name) is not a directory")
      }
    }
  }

  /// Creates a folder and its parents, and makes the folder private even if it exists.
  package static func makePrivateFolder(_ path: String) throws(ConfigurationError) {
    try makeFolder(path)
    chmod(path, 0o700)
  }

  /// Returns the first symbolic link on the way from a folder to a path below it, because such a link may lead
  /// anywhere.
  package static func link(below folder: String, to path: String) -> String? {
    var place = folder
    for part in path.split(separator: "/") {
      place += "/\(part)"
      var status = stat()
      if lstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { return place }
    }
    return nil
  }

  /// Lists the visible folders in a folder, sorted by name.
  package static func folders(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      guard entry.pointee.d_type == UInt8(DT_DIR) else { continue }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  package typealias EarlierContents = FileReplacement.EarlierContents

  /// Replaces the contents of a file atomically, by renaming a temporary file. New files are private to the user; if
  /// `mode` is given, it applies to new files and existing files keep theirs. A symbolic link stays a link, and its
  /// target is replaced. With `isDurable` false, the call does not wait until the data is on disk.
  package static func replace(
    _ path: String, with bytes: some Collection<UInt8>, mode: UInt16? = nil, isDurable: Bool = true,
    over earlier: EarlierContents = .any
  ) throws(ConfigurationError) {
    let target: String
    do throws(FileReplacement.Failure) {
      target = try FileReplacement.target(of: path)
    } catch {
      throw ConfigurationError(file: path, "\(error)")
    }
    try replace(target, in: AT_FDCWD, path: target, with: bytes, mode: mode, isDurable: isDurable, over: earlier)
  }

  /// Replaces a file in an open folder; see `FileReplacement.replace`.
  package static func replace(
    _ name: String, in folder: Int32, path: String, with bytes: some Collection<UInt8>, mode: UInt16?,
    isDurable: Bool, over earlier: EarlierContents
  ) throws(ConfigurationError) {
    do throws(FileReplacement.Failure) {
      try FileReplacement.replace(
        name, in: folder, path: path, with: Array(bytes), mode: mode, isDurable: isDurable, over: earlier)
    } catch {
      throw ConfigurationError(file: path, "\(error)")
    }
  }
}
