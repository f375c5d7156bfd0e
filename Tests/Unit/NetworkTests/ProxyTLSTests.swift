import ApusClientNetwork
import ApusJSON
import ApusTestSupport
import Testing

/// An https proxy in front of http and https servers: each certificate is checked by its own options, and the error names the
/// side that failed.
@Suite(.timeLimit(.minutes(1))) struct ProxyTLSTests {
  enum Outcome: String, Sendable {
    case response, untrustedProxy, untrustedServer, proxyFailure, unreadableProxyAuthority
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var target: String
    var options: String
    var outcome: Outcome
    var testDescription: String { "\(target), \(options)" }

    init(_ target: String, _ options: String, _ outcome: Outcome) {
      (self.target, self.options, self.outcome) = (target, options, outcome)
    }
  }

  static let rows = [
    Row("http", "", .untrustedProxy), Row("http", "cacert", .untrustedProxy), Row("http", "insecure", .untrustedProxy),
    Row("http", "proxy-cacert", .response), Row("http", "proxy-insecure", .response),
    Row("http", "proxy-cacert other-name", .untrustedProxy), Row("http", "proxy-insecure other-name", .response),
    Row("https", "", .untrustedProxy), Row("https", "cacert", .untrustedProxy),
    Row("https", "insecure", .untrustedProxy),
    Row("https", "proxy-cacert", .untrustedServer), Row("https", "proxy-insecure", .untrustedServer),
    Row("https", "proxy-cacert cacert", .response), Row("https", "proxy-cacert insecure", .response),
    Row("https", "proxy-insecure cacert", .response), Row("https", "proxy-insecure insecure", .response),
    Row("https", "proxy-cacert cacert other-name", .untrustedProxy),
    Row("http", "plain-proxy", .proxyFailure), Row("https", "plain-proxy insecure", .proxyFailure),
    Row("http", "missing-file", .unreadableProxyAuthority), Row("https", "broken-file", .unreadableProxyAuthority),
  ]

  @Test(arguments: rows) func `each certificate is checked by its own options`(_ row: Row) async throws {
    let folder = try TemporaryFolder()
    let words = Set(row.options.split(separator: " ").map(String.init))
    let server = try ChildProcess("/usr/bin/env", ["python3", "\(Checkout.servers)/tls_server.py"])
    let facts = try JSONDocument(parsing: try #require(await server.nextLine())).root
    let tls = words.contains("plain-proxy") ? [] : ["--tls", folder.root]
    let proxy = try ChildProcess("/usr/bin/env", ["python3", "\(Checkout.servers)/connect_proxy.py"] + tls)
    let port = try #require(await proxy.nextLine())
    try folder.write("broken.pem", "no certificate")
    let url = row.target == "http" ? "http://api.invalid/" : "https://localhost:\(facts["port"]?.string ?? "")/"
    let result = await exchange(url) {
      $0.connection.proxy = "https://me:hush@\(words.contains("other-name") ? "127.0.0.1" : "localhost"):\(port)"
      $0.connection.isInsecure = words.contains("insecure")
      $0.connection.isProxyInsecure = words.contains("proxy-insecure")
      if words.contains("cacert") { $0.connection.certificateAuthorityFile = facts["authority"]?.string }
      if words.contains("proxy-cacert") { $0.connection.proxyCertificateAuthorityFile = folder.path("proxy.pem") }
      if words.contains("missing-file") { $0.connection.proxyCertificateAuthorityFile = folder.path("none.pem") }
      if words.contains("broken-file") { $0.connection.proxyCertificateAuthorityFile = folder.path("broken.pem") }
    }
    #expect(Self.outcome(of: result) == row.outcome, "\(String(describing: result.error))")
    let message = result.networkError.map { "\($0)" } ?? ""
    #expect(!message.contains("hush"))
    switch row.outcome {
    case .response: #expect(result.error == nil)
    case .untrustedProxy:
      #expect(
        message.contains("the certificate of the proxy https://") && message.contains("proxy-insecure"), "\(message)")
    case .untrustedServer:
      #expect(message.contains("localhost:") && message.contains("not trusted"), "\(message)")
      #expect(message.contains("cacert") && !message.contains("proxy-cacert"), "\(message)")
    case .proxyFailure: #expect(message.contains("no secure connection"), "\(message)")
    case .unreadableProxyAuthority: #expect(message.contains("as the certificate authority of the proxy"), "\(message)")
    }
  }

  private static func outcome(of result: Exchange) -> Outcome? {
    switch result.networkError {
    case nil: result.error == nil ? .response : nil
    case .untrustedProxyCertificate: .untrustedProxy
    // libcurl does not report the cause of a failure after an https proxy, so the message names both.
    case .untrustedCertificate, .tlsFailure: .untrustedServer
    case .proxyFailure: .proxyFailure
    case .unreadableFile(_, "the certificate authority of the proxy"): .unreadableProxyAuthority
    default: nil
    }
  }
}
