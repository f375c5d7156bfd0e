import ApusPlatform

/// Keeps a cache's file to its owner: what an application caches is as private as what it shows. SQLite gives the log and
/// the index beside a file the mode of the file.
enum CacheFilePermissions {
  /// Begins a file that only its owner may read and write, before anything is in it. One that is there stays as it is.
  static func create(_ path: String) {
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Takes from everyone but the owner what an older version gave them, of the file and of what stands beside it. The file
  /// is not opened for it: to close it again would take away the locks of other connections to it (fcntl(2)).
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
