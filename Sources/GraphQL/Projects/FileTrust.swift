import ApusConfiguration
import ApusPlatform
import ApusSecrets

/// The proof that the person allowed a project's file, as it is now and where it is now, to send what it names.
/// Only a `TrustStore` gives one.
package struct FileTrust: Equatable, Sendable {
  fileprivate let digest: String
}

/// The files that the person trusts, by path and content: a file that is moved or changed is asked about again.
package struct TrustStore: Sendable {
  private let folder: String

  package init(folders: UserFolders = UserFolders()) {
    folder = folders.trust
  }

  package func trust(in file: ProjectFile) -> FileTrust? {
    access(entry(file), F_OK) == 0 ? FileTrust(digest: file.digest) : nil
  }

  package func add(_ file: ProjectFile) throws(ConfigurationError) -> FileTrust {
    try UserFile.makePrivateFolder(folder)
    // The path is for people who look into the folder.
    try UserFile.replace(entry(file), with: "\(file.path)\n".utf8)
    return FileTrust(digest: file.digest)
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

extension ForeignText {
  /// The text of a trusted file as one that takes values of the environment: `${NAME:default}` is the default where
  /// there is no such variable. A command is refused: a project's file runs none.
  package func allowed(
    by trust: FileTrust, of file: ProjectFile, environment: [String: String]
  ) throws(ProjectError) -> SecretText {
    guard trust.digest == file.digest else { throw .untrusted(file: file.path) }
    let text: SecretText
    do throws(SecretTextError) {
      text = try SecretText(withDefaults(of: environment))
    } catch {
      throw .malformed(file: file.path, error)
    }
    guard text.commands.isEmpty else { throw .command(file: file.path) }
    return text
  }

  private func withDefaults(of environment: [String: String]) -> String {
    var result = ""
    var rest = source[...]
    while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
      result += rest[..<start.lowerBound]
      let parts = rest[start.upperBound..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0].filter { !$0.isWhitespace })
      if parts.count > 1, environment[name] == nil {
        let text = String(parts[1].filter { $0 != "\"" && $0 != "'" }.drop { $0 == " " })
        result += SecretText(literal: text).source
      } else {
        result += "${\(name)}"
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}

/// Why something of a project's file is not used.
package enum ProjectError: Error, Equatable, Sendable, CustomStringConvertible {
  case untrusted(file: String)
  case command(file: String)
  case malformed(file: String, SecretTextError)
  case url(file: String, endpoint: String)

  package var description: String {
    switch self {
    case .untrusted(let file): "\(file) is not trusted: 'apus trust' shows what it sends where, and allows it"
    case .command(let file): "\(file): a project's file runs no commands: put the endpoint into config.yml"
    case .malformed(let file, let error): "\(file): \(error)"
    case .url(let file, let endpoint): "\(file): the url of \(printable(endpoint)) must begin with http:// or https://"
    }
  }
}
