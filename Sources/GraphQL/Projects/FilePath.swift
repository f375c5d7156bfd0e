import ApusPlatform

/// The path of a file or folder, compared by bytes: names that differ only in Unicode normalization are different
/// files.
package struct FilePath: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let bytes: [UInt8]

  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  package init(_ text: String) { self.init(text.utf8) }

  /// Creates the path with symbolic links resolved. Returns `nil` and sets `errno` if it does not exist.
  package init?(real path: String) {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    bytes = Array(UnsafeBufferPointer(start: real, count: strlen(real)).lazy.map { UInt8(bitPattern: $0) })
  }

  /// The path as a string. Bytes that are not UTF-8 are replaced by U+FFFD, so that the string names no file.
  package var description: String { String(decoding: bytes, as: UTF8.self) }

  package static func < (one: FilePath, other: FilePath) -> Bool { one.bytes.lexicographicallyPrecedes(other.bytes) }

  package func status(followsLinks: Bool) -> stat? {
    var status = stat()
    let code = bytes.withCString { followsLinks ? stat($0, &status) : lstat($0, &status) }
    return code == 0 ? status : nil
  }

  private static let slash = UInt8(ascii: "/")

  package var isAbsolute: Bool { bytes.first == Self.slash }

  /// Whether the path can lead out of its base folder: it is absolute or has a component `..`, as `a/../../b`.
  package var mayLeaveFolder: Bool { isAbsolute || components.contains { $0.elementsEqual("..".utf8) } }

  package var components: [ArraySlice<UInt8>] { bytes.split(separator: Self.slash) }

  /// The parent folder: `src` for `src/a.graphql`, and `.` for a name without folders.
  package var folder: FilePath {
    guard let slash = bytes.lastIndex(of: Self.slash) else { return FilePath(".") }
    return slash == 0 ? FilePath("/") : FilePath(bytes[..<slash])
  }

  /// The last component.
  package var name: FilePath { FilePath(bytes[((bytes.lastIndex(of: Self.slash) ?? -1) + 1)...]) }

  /// Returns the path of an item in this folder.
  package func appending(_ name: some Collection<UInt8>) -> FilePath {
    FilePath(bytes.last == Self.slash ? bytes + name : bytes + [Self.slash] + name)
  }

  /// Returns the components of a path inside this folder: `a` and `b.graphql` for `/src/a/b.graphql` in `/src`; none
  /// for the folder itself, `nil` for a path outside of it. Both paths must not contain symbolic links.
  package func components(of other: FilePath) -> ArraySlice<ArraySlice<UInt8>>? {
    let local = components
    let others = other.components
    guard bytes.first == other.bytes.first, others.starts(with: local) else { return nil }
    return others.dropFirst(local.count)
  }

  /// Whether a path is this folder or inside it. Both paths must not contain symbolic links.
  package func contains(_ other: FilePath) -> Bool { components(of: other) != nil }
}

extension FilePath: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}

extension Sequence<UInt8> {
  /// Calls a function with the bytes as a C string.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    var characters = map { CChar(bitPattern: $0) }
    characters.append(0)
    return characters.withUnsafeBufferPointer { buffer in
      // The terminating zero ensures that the buffer has an address.
      buffer.baseAddress.map(body) ?? body("")
    }
  }
}
