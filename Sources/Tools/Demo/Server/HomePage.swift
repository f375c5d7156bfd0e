/// The page for opening the server in a browser.
enum HomePage {
  static let answer = HTTPAnswer(200, "text/html; charset=utf-8", .bytes(Array(html.utf8)))

  private static let html = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Apus demo API</title>
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
      pre { background: #f2f2ee; color: #222; padding: 1rem; overflow-x: auto; }
      @media (prefers-color-scheme: dark) { body { background: #181a1f; color: #ddd; } a { color: #8bf; } }
    </style>
    <h1>Bird migration, made up</h1>
    <p>This is the demo API of <b>Apus</b>, a GraphQL explorer for the terminal. The endpoint is
    <code>/graphql</code>: POST <code>application/json</code>, or GET with <code>?query=</code>.
    It knows <code>@defer</code> and <code>@stream</code> for clients that accept
    <code>multipart/mixed;deferSpec=20220824</code> or <code>multipart/mixed;incrementalSpec=v0.2</code>.</p>
    <p>Open the explorer on it with <code>apus</code> and this server's address, or ask from a shell:</p>
    <pre>curl -N http://ADDRESS/graphql \\
      -H 'Content-Type: application/json' \\
      -H 'Accept: multipart/mixed;deferSpec=20220824, application/json' \\
      -d '{"query":"{ bird(id: \\"b7\\") { name ... @defer(label: \\"history\\") { migrationHistory { totalDistance } } } }"}'</pre>
    <p>Or follow a link: <a href="/graphql?query={species(id:%22sp1%22){scientificName%20commonName%20journey}}">a
    swift</a>, <a href="/graphql?query={stations{name%20country%20birdCount}}">all stations</a>.</p>
    <p>Changes are forgotten when the server stops.</p>
    </html>
    """
}
