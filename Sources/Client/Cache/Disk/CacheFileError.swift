/// An error that made a cache file unusable, with a one-line description of the cause, the file and the remedy.
public struct CacheFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of problem with a cache file.
  public enum Kind: Sendable, Hashable {
    /// The file or its directory cannot be opened or written to.
    case unusable
    /// The file is a database, but not an Apus cache.
    case unrecognized
    /// The file has a format that this version of Apus does not read.
    case unsupportedVersion
    /// Other processes kept the file locked for too long.
    case busy
    /// The content of the file is corrupt.
    case corrupt
  }

  /// The kind of problem, for programs; `description` is for users.
  public let kind: Kind
  /// A one-line message for the user: the cause, the path of the file and a remedy.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
