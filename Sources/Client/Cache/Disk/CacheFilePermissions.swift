import ApusPlatform

/// Restricts access to cache files to their owner, because they contain all data that the application has shown. SQLite gives
/// its write-ahead log and shared-memory file the same mode as the database.
enum CacheFilePermissions {
  /// Creates an empty file that only its owner can read and write. An existing file is not changed.
  static func create(_ path: String) {
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Removes the permissions of group and others from the database, its log and its shared-memory file; older versions
  /// created them with wider permissions. The files are not opened, because closing them would release the locks of other
  /// connections in this process (fcntl(2)).
  static func restrict(_ path: String) {
    for name in [path, path + "-wal", path + "-shm"] {
      var status = stat()
      guard stat(name, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFREG,
        status.st_mode & 0o077 != 0
      else { continue }
      _ = chmod(name, status.st_mode & 0o700)
    }
  }
}
