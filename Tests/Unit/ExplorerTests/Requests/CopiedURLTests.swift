import ApusClientCache
import ApusClientCore
import ApusClientRequests
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusSecrets
import ApusTestSupport
import Foundation
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
    for (kind, own, parts, variable) in [
      ("query", "", ["birds.example/graphql?page=2&key=", "&mode=x"], "URL_KEY"),
      ("subscription", "wss://ws.example/a?key=hush&n=1", ["ws.example/a?key=", "&n=1"], "SUBSCRIPTION_URL_KEY"),
      ("subscription", "wss://ws.example/a?key=•••&n=1", ["ws.example/a?key=", "&n=1"], "SUBSCRIPTION_URL_KEY"),
    ] {
      let reference = form == .httpFile ? "{{\(variable)}}" : "${\(variable):?}"
      var draft = RequestDraft(url: client.redactedURL, query: "\(kind) Q { a }")
      draft.options.subscriptionURL = own
      let copy = await environment.exchange.writeRequest(draft, form)
      #expect(parts.allSatisfy(copy.text.contains) && copy.text.contains(reference), "\(copy.text)")
      #expect(copy.variables.contains(variable))
      for secret in ["hush", "•••", "#part"] { #expect(!copy.text.contains(secret), "\(copy.text)") }
    }
  }

  /// Each secret parameter has a separate variable, in the endpoint's URL and in that of subscriptions.
  @Test(
    arguments: [
      ("query", "?key=hush", "", RequestFormat.curlCommand, ["URL_KEY"]),
      ("query", "?key=hush", "", .apusCommand, ["URL_KEY"]),
      ("query", "?key=hush&key=other", "", .curlCommand, ["URL_KEY", "URL_KEY_2"]),
      ("query", "?key=hush&token=other", "", .apusCommand, ["URL_KEY", "URL_TOKEN"]),
      ("subscription", "?key=hush", "wss://ws.example/a?key=other", .apusCommand, ["URL_KEY", "SUBSCRIPTION_URL_KEY"]),
      ("subscription", "?key=hush", "wss://ws.example/a?key=other", .curlCommand, ["SUBSCRIPTION_URL_KEY"]),
      ("subscription", "?key=hush", "wss://ws.example/a", .curlCommand, []),
      (
        "subscription", "", "wss://ws.example/a?key=hush&key=other", .httpFile,
        ["SUBSCRIPTION_URL_KEY", "SUBSCRIPTION_URL_KEY_2"]
      ),
    ] as [(String, String, String, RequestFormat, [String])])
  func `secret parameters of one name are different variables`(
    kind: String, parameters: String, own: String, form: RequestFormat, variables: [String]
  ) async throws {
    let client = GraphQLClient(url: "https://birds.example/graphql\(parameters)", store: CacheStore())
    let endpoint = LiveEnvironment.Endpoint(client: client, fetchSchema: { _ in throw EnvironmentError("refused") })
    var draft = RequestDraft(url: client.redactedURL, query: "\(kind) Q { a }")
    draft.options.subscriptionURL = own
    let copy = await LiveEnvironment(endpoint, secrets: SecretValues()).environment.exchange.writeRequest(draft, form)
    #expect(Set(copy.variables) == Set(variables), "\(copy.text)")
    for variable in variables {
      let reference = form == .httpFile ? "{{\(variable)}}" : "${\(variable):?}"
      #expect(copy.text.components(separatedBy: reference).count == 2, "\(copy.text)")
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
