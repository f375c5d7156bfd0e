import ApusSecrets
import FuzzHarness

@testable import ApusClientNetwork

/// The displayed form of a URL contains neither user nor password.
@main enum URLTarget: FuzzTarget {
  private static let base = "https://user:hidden@birds.example:8443/graphql?key=hidden#x"

  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let url = try? TargetURL(parsing: text) {
      expect(!url.shown.contains("?"), "the query is shown: \(url.shown)")
      expect((try? TargetURL(parsing: url.shown))?.credentials == nil, "the user is shown: \(url.shown)")
    }
    _ = RedactedURL.withoutSecrets(text)
    guard let base = try? TargetURL(parsing: base) else { fatalError("the base is not a URL") }
    do throws(NetworkError) {
      let target = try base.resolving(text)
      expect(!target.shown.contains("?"), "the query is shown: \(target.shown)")
      _ = base.sharesCredentials(with: target)
    } catch {
      expect(!"\(error)".contains("hidden"), "an error shows a secret: \(error)")
    }
  }
}
