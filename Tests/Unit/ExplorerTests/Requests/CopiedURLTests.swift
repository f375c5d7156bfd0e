import ApusClientCache
import ApusClientCore
import ApusClientRequests
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusSecrets
import ApusTestSupport
import Testing

/// The URL in copies of a request.
@Suite(.timeLimit(.minutes(1))) struct CopiedURLTests {
  private static let url = "https://me:hush@birds.example/graphql?page=2&key=hush&mode=x#part"

  /// | part of the URL | in a copy |
  /// |---|---|
  /// | user, fragment | left out |
  /// | parameter | kept |
  /// | secret parameter, also one that was not stored | a variable of the environment |
  @Test(arguments: [RequestFormat.curlCommand, .httpFile, .apusCommand])
  func `a copied URL keeps its parameters, and secret ones are variables`(form: RequestFormat) async throws {
    let client = GraphQLClient(url: Self.url, store: CacheStore())
    let endpoint = LiveEnvironment.Endpoint(
      client: client, fetchSchema: { _ in throw EnvironmentError("refused") })
    let environment = LiveEnvironment(endpoint, secrets: SecretValues()).environment
    let reference = form == .httpFile ? "{{URL_KEY}}" : "${URL_KEY:?}"
    for (kind, own, parts) in [
      ("query", "", ["birds.example/graphql?page=2&key=", "&mode=x"]),
      ("subscription", "wss://ws.example/a?key=hush&n=1", ["ws.example/a?key=", "&n=1"]),
      ("subscription", "wss://ws.example/a?key=•••&n=1", ["ws.example/a?key=", "&n=1"]),
    ] {
      var draft = RequestDraft(url: client.redactedURL, query: "\(kind) Q { a }")
      draft.options.subscriptionURL = own
      let copy = await environment.exchange.writeRequest(draft, form)
      #expect(parts.allSatisfy(copy.text.contains) && copy.text.contains(reference), "\(copy.text)")
      #expect(copy.variables.contains("URL_KEY"))
      for secret in ["hush", "•••", "#part"] { #expect(!copy.text.contains(secret), "\(copy.text)") }
    }
  }

  @Test func `the notice of a copy says how values are written in a string of the document`() async {
    var draft = RequestDraft(
      url: "https://birds.example/graphql", query: #"{ a(b: "{{word}}") }"#, variables: #"{"t": "{{word}}"}"#)
    draft.options.references = [.init(name: "word")]
    let environment = LiveEnvironment(
      LiveEnvironment.Endpoint(
        client: GraphQLClient(url: draft.url, store: CacheStore()),
        fetchSchema: { _ in throw EnvironmentError("refused") }), secrets: SecretValues()
    ).environment
    let curl = await environment.exchange.writeRequest(draft, .curlCommand)
    #expect(
      curl.advice
        == #"set WORD, WORD_DOCUMENT before you run it; in WORD, write \" for " and \\ for \, as in JSON; "#
        + #"in WORD_DOCUMENT, write \\\" for " and \\\\ for \, as in a string in JSON"#)
    let command = await environment.exchange.writeRequest(draft, .apusCommand)
    #expect(command.variablesInDocument.isEmpty, "\(command.advice ?? "")")
  }
}
