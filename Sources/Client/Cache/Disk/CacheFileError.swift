/// Why a cache file could not be used, in a line that says what, where and what to do.
public struct CacheFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is the matter with the file.
  public enum Kind: Sendable, Hashable {
    /// The file or its folder cannot be opened or written.
    case unusable
    /// The file is a database, and none of this cache.
    case foreign
    /// The file was written by a newer version.
    case newer
    /// Other programs kept the file locked for too long.
    case busy
    /// What the file holds is not what was written.
    case damaged
  }

  /// What is the matter with the file, for programs; `description` says it to a person.
  public let kind: Kind
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
