/// The page for opening the server in a browser.
enum HomePage {
  case demo, mock, recorded

  /// Returns the page for a request, with the address that the browser used.
  func answer(to request: ServerRequest) -> ServerResponse {
    let html = page(endpoint: "http://\(Self.address(of: request))/graphql")
    return ServerResponse(200, "text/html; charset=utf-8", .bytes(Array(html.utf8)))
  }

  /// The host and the port of a request. Other text in the field is not repeated.
  private static func address(of request: ServerRequest) -> String {
    let host = request.header("Host") ?? ""
    let isAddress =
      !host.isEmpty && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".:-[]".contains($0)) }
    return isAddress ? host : "127.0.0.1"
  }

  private func page(endpoint: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>\(title)</title>
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
      pre { background: #f2f2ee; color: #222; padding: 1rem; overflow-x: auto; }
      @media (prefers-color-scheme: dark) { body { background: #181a1f; color: #ddd; } a { color: #8bf; } }
    </style>
    <h1>\(title)</h1>
    <p>\(description)</p>
    <p>The endpoint is <code>\(endpoint)</code>: POST <code>application/json</code>, or GET with <code>?query=</code>. Clients
    that accept <code>multipart/mixed;deferSpec=20220824</code> or <code>multipart/mixed;incrementalSpec=v0.2</code> can use
    <code>@defer</code> and <code>@stream</code>. Subscriptions use WebSockets, events of a stream or multipart responses.</p>
    <p>Open it in the explorer:</p>
    <pre>apus \(endpoint)</pre>
    <p>Or send a query from a shell:</p>
    <pre>curl -N \(endpoint) \\
      -H 'Content-Type: application/json' \\
      -H 'Accept: multipart/mixed;deferSpec=20220824, application/json' \\
      -d '\(body)'</pre>
    \(end)
    </html>

    """
  }

  private var title: String {
    switch self {
    case .demo: "Apus demo API"
    case .mock: "Apus mock API"
    case .recorded: "Apus recordings"
    }
  }

  private var description: String {
    switch self {
    case .demo:
      "The demo API of <b>Apus</b>, a GraphQL explorer for the terminal. Its subject is bird migration; the data is made up."
    case .mock:
      """
      A mock of a schema, by <b>Apus</b>, a GraphQL explorer for the terminal. The values are generated from their types, and
      are the same for the same seed.
      """
    case .recorded:
      """
      Recorded responses of a GraphQL API, by <b>Apus</b>, a GraphQL explorer for the terminal. Each operation of the recordings has
      its response, with its timing.
      """
    }
  }

  private var body: String {
    switch self {
    case .demo:
      #"{"query":"{ bird(id: \"b7\") { name ... @defer(label: \"history\") { migrationHistory { totalDistance } } } }"}"#
    case .mock, .recorded: #"{"query":"{ __typename }"}"#
    }
  }

  private var end: String {
    switch self {
    case .demo:
      """
      <p>Or follow a link: <a href="/graphql?query={species(id:%22sp1%22){scientificName%20commonName%20journey}}">a
      swift</a>, <a href="/graphql?query={stations{name%20country%20birdCount}}">all stations</a>.</p>
      <p>Changes are lost when the server stops.</p>
      """
    case .mock:
      """
      <p>Or follow a link: <a href="/graphql?query={__schema{types{name}}}">the types of the schema</a>.</p>
      """
    case .recorded: ""
    }
  }
}
