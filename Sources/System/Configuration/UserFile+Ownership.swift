import ApusPlatform

/// Checks for files whose settings run commands and send requests. Like ssh, they reject files that other users can
/// write.
extension UserFile {
  /// Returns the contents of a file that only the user can have written; nil if it does not exist, or if its folder cannot
  /// be searched, as with the home folder of another user.
  ///
  /// - Throws: `ConfigurationError` if another user owns the file or its folder, or can write to either.
  package static func readOwn(
    _ path: String, limit: Int = YAMLParser.maximumSize
  ) throws(ConfigurationError) -> [UInt8]? {
    if access(folder(of: path), X_OK) != 0, errno == EACCES { return nil }
    // The check uses the open descriptor, because the path may name another file by now.
    let bytes = try read(path, limit: limit) { (status) throws(ConfigurationError) in
      try checkOwner(of: path, status)
    }
    if bytes != nil { try checkFolders(of: path) }
    return bytes
  }

  /// Throws if another user can have written a file or folder, for files that another program will read. Paths that do
  /// not exist, pipes and devices pass.
  package static func checkOwn(_ path: String) throws(ConfigurationError) {
    var status = stat()
    guard stat(path, &status) == 0, [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return }
    try checkOwner(of: path, status)
    try checkFolders(of: path)
  }

  /// Checks the folder of the file and, for a symbolic link, the folder of its target.
  private static func checkFolders(of path: String) throws(ConfigurationError) {
    var folders = [folder(of: path)]
    if let real = realpath(path, nil) {
      folders.append(folder(of: String(cString: real)))
      free(real)
    }
    for folder in folders {
      var status = stat()
      if stat(folder, &status) == 0 { try checkOwner(of: folder, status) }
    }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func checkOwner(of path: String, _ status: stat) throws(ConfigurationError) {
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let what = isFolder ? "folder" : "file"
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw ConfigurationError(
        file: path,
        "the \(what) belongs to another user (\(status.st_uid)) and is not used: run 'sudo chown \(geteuid()) \(path)'")
    }
    // The sticky bit prevents other users from replacing the user's files.
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 || isFolder && status.st_mode & S_ISVTX != 0 else {
      throw ConfigurationError(
        file: path, "other users may write to the \(what), so it is not used: run 'chmod go-w \(path)'")
    }
  }
}
