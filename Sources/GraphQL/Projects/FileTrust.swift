import ApusConfiguration
import ApusPlatform
import ApusSecrets

/// The proof that the user allowed the requests of a project's file, for its path, its content and the requests that
/// were shown. Only a `TrustStore` can create one.
package struct FileTrust: Equatable, Sendable {
  fileprivate let digest: String
  /// Digests of the requests that were shown.
  fileprivate let shown: Set<String>

  /// Whether the trust is for this file.
  func isIn(_ file: ProjectFile) -> Bool { digest == file.digest }

  /// Whether exactly this request was shown.
  package func allows(_ request: ProjectRequest) -> Bool { shown.contains(request.digest) }
}

/// The files that the user trusts, by path and content. A file that is moved or changed needs new consent, as does one
/// with a request that was not shown.
///
/// Each has an entry whose name is the file's digest. Its lines are the digests of the requests that were shown; after
/// an empty line follows the path, for people.
package struct TrustStore: Sendable {
  private let folder: String

  package init(folders: UserFolders = UserFolders()) {
    folder = folders.trust
  }

  package func trust(in file: ProjectFile) throws(ConfigurationError) -> FileTrust? {
    guard let bytes = try UserFile.readOwn(entry(file)) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return FileTrust(digest: file.digest, shown: Set(lines.prefix { !$0.isEmpty }.map(String.init)))
  }

  package func add(
    _ file: ProjectFile, shown requests: [ProjectRequest]
  ) throws(ConfigurationError) -> FileTrust {
    try UserFile.makePrivateFolder(folder)
    let shown = Set(requests.map(\.digest))
    // The path is informative. It comes last, because it may contain any character, including a line break.
    let text = shown.sorted().map { "\($0)\n" }.joined() + "\n\(file.path)\n"
    try UserFile.replace(entry(file), with: text.utf8)
    return FileTrust(digest: file.digest, shown: shown)
  }

  /// Returns whether the file was trusted.
  package func remove(_ file: ProjectFile) throws(ConfigurationError) -> Bool {
    if unlink(entry(file)) == 0 { return true }
    guard errno == ENOENT || errno == ENOTDIR else {
      throw ConfigurationError(file: entry(file), "cannot be removed: \(String(cString: strerror(errno)))")
    }
    return false
  }

  private func entry(_ file: ProjectFile) -> String { "\(folder)/\(file.digest)" }
}

/// The reason why an endpoint of a project's file is not used.
package enum ProjectError: Error, Equatable, Sendable, CustomStringConvertible {
  case untrusted(file: String)
  /// The file is trusted, but for other requests.
  case notShown(file: String)
  case flawed(file: String, ProjectText.Flaw)
  case url(file: String, endpoint: String)

  package var description: String {
    switch self {
    case .untrusted(let file): "\(file) is not trusted: run 'apus trust' to review and allow its requests"
    case .notShown(let file):
      "\(file) is trusted, but not for this request: run 'apus trust' to review and allow its requests"
    case .flawed(let file, .command):
      "\(file): commands in a project's file are never run: define the endpoint in config.yml"
    case .flawed(let file, let flaw): "\(file): \(flaw)"
    case .url(let file, let endpoint): "\(file): the url of \(printable(endpoint)) must begin with http:// or https://"
    }
  }
}
