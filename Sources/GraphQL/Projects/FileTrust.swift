import ApusConfiguration
import ApusPlatform
import ApusSecrets

/// The proof that the user allowed the requests of a project's file, for its path, its content and the requests that were
/// shown. Only a `TrustStore` creates one.
package struct FileTrust: Equatable, Sendable {
  fileprivate let digest: String
  /// The digests of the requests that were shown.
  fileprivate let shown: Set<String>

  /// Whether it is the trust in this file.
  func isIn(_ file: ProjectFile) -> Bool { digest == file.digest }

  /// Whether exactly this request was shown.
  package func allows(_ request: ProjectRequest) -> Bool { shown.contains(request.digest) }
}

/// The files that the user trusts, by path and content: a file that is moved or changed is asked about again, and so is one
/// that causes a request that was not shown.
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
    // The path is for people who look into the folder. It is last: it may hold anything, also the end of a line.
    let text = shown.sorted().map { "\($0)\n" }.joined() + "\n\(file.path)\n"
    try UserFile.replace(entry(file), with: text.utf8)
    return FileTrust(digest: file.digest, shown: shown)
  }

  /// Whether there was trust to take back.
  package func remove(_ file: ProjectFile) throws(ConfigurationError) -> Bool {
    if unlink(entry(file)) == 0 { return true }
    guard errno == ENOENT || errno == ENOTDIR else {
      throw ConfigurationError(file: entry(file), "cannot be removed: \(String(cString: strerror(errno)))")
    }
    return false
  }

  private func entry(_ file: ProjectFile) -> String { "\(folder)/\(file.digest)" }
}

/// Why something of a project's file is not used.
package enum ProjectError: Error, Equatable, Sendable, CustomStringConvertible {
  case untrusted(file: String)
  /// The file is trusted, but for other requests.
  case notShown(file: String)
  case flawed(file: String, ProjectText.Flaw)
  case url(file: String, endpoint: String)

  package var description: String {
    switch self {
    case .untrusted(let file): "\(file) is not trusted: 'apus trust' shows what it sends where, and allows it"
    case .notShown(let file):
      "\(file) is trusted, but this request was not shown: 'apus trust' shows all of its requests, and allows them"
    case .flawed(let file, .command): "\(file): a project's file runs no commands: put the endpoint into config.yml"
    case .flawed(let file, let flaw): "\(file): \(flaw)"
    case .url(let file, let endpoint): "\(file): the url of \(printable(endpoint)) must begin with http:// or https://"
    }
  }
}
