import ApusConfiguration
import ApusPlatform

/// A folder whose files may be read and written, and the region that paths must not leave.
///
/// Every command opens files that a project names or a search found through a root.
package struct ProjectRoot: Hashable, Sendable {
  /// The folder, with symbolic links resolved.
  package let folder: FilePath
  /// The surrounding folder that paths may reach, with symbolic links resolved.
  package let region: FilePath
  /// Whether files that other users own, or that are world-writable, are rejected.
  package var refusesOthers: Bool

  /// The default maximum size of a file, in bytes.
  package static let sizeLimit = 128 << 20

  /// Returns the root of a configuration file in a folder. Its paths may reach the repository around the folder, or only the
  /// folder if there is none.
  package static func project(in folder: String, home: String = UserFolders.home) -> ProjectRoot {
    let folder = FilePath(real: folder) ?? FilePath(folder)
    return ProjectRoot(
      folder: folder, region: repository(around: folder, home: FilePath(real: home) ?? FilePath(home)) ?? folder,
      refusesOthers: true)
  }

  /// Returns the root of a search in a folder that the user named; `nil` if it does not exist.
  package static func folder(_ path: String) -> ProjectRoot? {
    FilePath(real: path).map { ProjectRoot(folder: $0, region: $0, refusesOthers: false) }
  }

  /// Returns the nearest folder with a `.git`. The home directory and `/` are not repositories. The search ends at a folder
  /// with another owner or that is world-writable, because others could make it a repository.
  private static func repository(around start: FilePath, home: FilePath) -> FilePath? {
    var folder = start
    let owner = start.status(followsLinks: true)?.st_uid
    while folder != home, folder.bytes.count > 1, folder.bytes.first == UInt8(ascii: "/") {
      guard let status = folder.status(followsLinks: true), status.st_uid == owner, status.st_mode & S_IWOTH == 0 else {
        return nil
      }
      if folder.appending(".git".utf8).status(followsLinks: true) != nil { return folder }
      folder = folder.folder
    }
    return nil
  }

  // MARK: Reading

  /// Returns the bytes of a regular file inside the region. Throws if it is larger than `limit` bytes. A relative path
  /// starts at the current directory.
  package func read(_ path: String, limit: Int = sizeLimit) throws(FileRefusal) -> [UInt8] {
    let descriptor = try open(path)
    defer { close(descriptor) }
    do throws(FileDescriptor.ReadError) {
      return try FileDescriptor.readAll(descriptor, limit: limit)
    } catch {
      switch error {
      case .tooLong: throw FileRefusal(path, .tooLarge(limit: limit))
      case .system(let code): throw FileRefusal(path, .unreadable(code: code))
      }
    }
  }

  /// Returns a descriptor of a regular file inside the region. Does not block on a pipe or device.
  private func open(_ path: String) throws(FileRefusal) -> Int32 {
    let real = try real(path)
    let descriptor = openWithoutLinks(real)
    guard descriptor >= 0 else {
      // Opening a socket fails with this code.
      throw FileRefusal(path, errno == ENXIO ? .notRegular : .unreadable(code: errno))
    }
    var status = stat()
    let reason = fstat(descriptor, &status) == 0 ? refusal(of: status) : .unreadable(code: errno)
    guard let reason else { return descriptor }
    close(descriptor)
    throw FileRefusal(path, reason)
  }

  /// Returns the path of an existing file inside the region, with symbolic links resolved.
  private func real(_ path: String) throws(FileRefusal) -> FilePath {
    guard let real = FilePath(real: path) else {
      throw FileRefusal(path, errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(code: errno))
    }
    guard region.contains(real) else { throw FileRefusal(path, .outside("\(region)")) }
    return real
  }

  private func refusal(of status: stat) -> FileRefusal.Reason? {
    guard status.st_mode & S_IFMT == S_IFREG else { return .notRegular }
    guard refusesOthers else { return nil }
    if status.st_uid != geteuid() { return .ofAnotherUser }
    return status.st_mode & S_IWOTH != 0 ? .writableByEveryone : nil
  }

  /// Opens a path of the region. Does not follow links that were created since the check. Returns -1 and sets `errno` if it
  /// fails.
  private func openWithoutLinks(_ path: FilePath) -> Int32 {
    let names = region.components(of: path) ?? []
    let folder = openFolder(names.dropLast())
    guard folder >= 0, let name = names.last else { return folder }
    let descriptor = name.withCString { openat(folder, $0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    let code = errno
    close(folder)
    errno = code
    return descriptor
  }

  /// Opens a folder of the region component by component without following links. Returns -1 and sets `errno` if it fails.
  private func openFolder(_ names: some Sequence<ArraySlice<UInt8>>, makesMissing: Bool = false) -> Int32 {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY
    var descriptor = region.bytes.withCString { ApusPlatform.open($0, flags) }
    for name in names where descriptor >= 0 {
      let next = name.withCString { name in
        if makesMissing { mkdirat(descriptor, name, 0o777) }
        return openat(descriptor, name, flags)
      }
      let code = errno
      close(descriptor)
      errno = code
      descriptor = next
    }
    return descriptor
  }

  // MARK: Writing

  /// Replaces a file inside the region atomically. A new file gets the mode and missing parent folders; an existing file
  /// keeps its mode. Does not follow links that were created since the check.
  ///
  /// - Parameter earlier: The bytes that were read from the file; `nil` if it did not exist. If the file has changed since,
  ///   it is
  ///    not replaced.
  package func replace(
    _ path: String, with bytes: some Collection<UInt8>, over earlier: [UInt8]?, mode: UInt16 = 0o644,
    isDurable: Bool = true
  ) throws(FileRefusal) {
    let target = try writable(path)
    let folder = openFolder((region.components(of: target) ?? []).dropLast(), makesMissing: true)
    guard folder >= 0 else { throw FileRefusal(path, .unwritable(String(cString: strerror(errno)))) }
    defer { close(folder) }
    do throws(ConfigurationError) {
      try UserFile.replace(
        "\(target.name)", in: folder, path: "\(target)", with: bytes, mode: mode, isDurable: isDurable,
        over: .init(earlier))
    } catch {
      throw FileRefusal(path, .unwritable(error.message))
    }
  }

  /// Returns the path to write to, with symbolic links resolved: a regular file, or a file that does not exist.
  package func writable(_ path: String) throws(FileRefusal) -> FilePath {
    let place = try resolvedPath(path)
    guard String(validating: place.bytes, as: UTF8.self) != nil else { throw FileRefusal(path, .nameNotUTF8) }
    if let status = place.status(followsLinks: true), let reason = refusal(of: status) {
      throw FileRefusal(path, reason)
    }
    return place
  }

  /// Returns the path of an item that may not exist, with symbolic links resolved, inside the region.
  package func resolvedPath(_ path: String) throws(FileRefusal) -> FilePath {
    var ancestor = FilePath(path)
    var missing: [FilePath] = []
    while true {
      if let real = FilePath(real: "\(ancestor)") {
        let place = missing.reversed().reduce(real) { $0.appending($1.bytes) }
        guard region.contains(place), !missing.contains(FilePath("..")) else { break }
        return place
      }
      // Writing to a dangling link would create a file at its target.
      guard ancestor.status(followsLinks: false) == nil, ancestor != FilePath("."), ancestor != FilePath("/") else {
        break
      }
      missing.append(ancestor.name)
      ancestor = ancestor.folder
    }
    throw FileRefusal(path, .outside("\(region)"))
  }
}
