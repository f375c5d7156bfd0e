import ApusPlatform

/// A loopback port that refuses connections. It is bound without listening, so that no other server can use it.
package final class ClosedPort: Sendable {
  package let number: Int
  private let descriptor: Int32

  package init() throws(ScriptedServer.Failure) {
    (descriptor, number) = try bindOnLoopback()
  }

  deinit { close(descriptor) }

  package var url: String { "http://127.0.0.1:\(number)/graphql" }
}
