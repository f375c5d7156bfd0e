import ApusPlatform

/// Files with settings that run commands and send requests: as ssh does, they are refused if other users may write them.
extension UserFile {
  /// The bytes of a file that only the user can have written; nil if there is no such file.
  ///
  /// - Throws: `ConfigurationError` where another user owns the file or its folder, or may write to one of them.
  package static func readOwn(
    _ path: String, limit: Int = YAMLParser.maximumSize
  ) throws(ConfigurationError) -> [UInt8]? {
    // Asked of the file that was opened: another one may have taken its name since.
    let bytes = try read(path, limit: limit) { (status) throws(ConfigurationError) in
      try checkOwner(of: path, status)
    }
    if bytes != nil { try checkFolders(of: path) }
    return bytes
  }

  /// Refuses a file that another program will read, or a folder, if another user can have written it. One that does not
  /// exist passes, and so does a pipe or a device.
  package static func checkOwn(_ path: String) throws(ConfigurationError) {
    var status = stat()
    guard stat(path, &status) == 0, [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return }
    try checkOwner(of: path, status)
    try checkFolders(of: path)
  }

  /// The folder of the file, and of what it is a link to.
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
    // In a folder with the sticky bit, others cannot replace the user's files.
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 || isFolder && status.st_mode & S_ISVTX != 0 else {
      throw ConfigurationError(
        file: path, "other users may write to the \(what), so it is not used: run 'chmod go-w \(path)'")
    }
  }
}
