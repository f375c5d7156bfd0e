import ApusJSON

/// A format that can be imported. The recognition of files, the search of folders, the help and the messages read the
/// table `all`.
package struct ImportFormat: Sendable {
  /// The syntax of a format, with its recognition and its reader.
  enum Form: Sendable {
    /// Text, recognized by the ending of its file or else by its content.
    case text(@Sendable (String) -> Bool, @Sendable (inout ImportedCollection, String, AdjacentFiles) -> Void)
    /// JSON, recognized by its root and the name of its file.
    case json(@Sendable (JSONValue, String) -> Bool, @Sendable (inout ImportedCollection, JSONValue, String) -> Void)
    /// YAML, recognized by its root and the path of its file.
    case yaml(@Sendable (JSONValue, String) -> Bool, @Sendable (inout ImportedCollection, JSONValue, String) -> Void)
    /// A file of Bruno's own syntax, recognized by its ending.
    case bruno
  }

  /// The name in titles: "`Postman`"; `nil` if the name of another format includes it.
  var name: String?
  /// The description in messages: "`Postman 2.1`"; `nil` if that of another format includes it.
  var summary: String?
  /// The line in the help: "`a Postman collection or environment (2.1)`"; `nil` if that of another format includes it.
  var help: String?
  /// The endings of its files: "`http`".
  let endings: [String]
  let form: Form

  /// The formats. Text without a known ending is of the last format that recognizes it, JSON and YAML of the first one.
  static let all = [
    shell, fetch, powerShell, http, hurl, commandPrompt, markdown, postman, postmanEnvironment, insomnia4,
    insomnia4YAML, insomnia5,
    bruno, openCollection, altair, thunderClient, hoppscotch, har, httpEnvironments,
  ]

  /// The names in titles: "`curl, .http, Postman`".
  package static var names: String { all.compactMap(\.name).joined(separator: ", ") }

  /// The descriptions in messages.
  static var summaries: String { all.compactMap(\.summary).joined(separator: ", ") }

  package static var helpLines: [String] { all.compactMap(\.help) }

  // MARK: Text

  static let shell = ImportFormat(
    name: "curl", summary: "curl and HTTPie commands",
    help: "curl commands for any shell, as browsers copy them, and HTTPie commands",
    endings: ["sh", "bash", "zsh", "curl"],
    form: .text {
      // Skip the shell parser if no word occurs.
      $0.utf8.count < 1 << 26 && ($0.contains("curl") || $0.contains("http") || $0.contains("xh"))
        && ShellScript($0.utf8).commands.contains {
          CurlCommand($0, after: nil) != nil || HTTPieCommand.isOne($0)
        }
    } _: {
      $0.readShell(ShellScript($1.utf8), $2)
    })

  private static let fetch = ImportFormat(
    summary: "fetch calls", help: "calls of fetch, as browsers copy them", endings: ["js", "mjs", "cjs", "ts"],
    form: .text {
      FetchScript.isOne($0)
    } _: { collection, text, _ in
      collection.readFetch(text)
    })

  /// Recognized to be refused with advice.
  static let powerShell = ImportFormat(
    endings: ["ps1"],
    form: .text {
      PowerShellText.hasRequest($0)
    } _: { collection, _, _ in
      collection.skip("a request", "it \(ImportError.powerShellAdvice)")
    })

  static let http = ImportFormat(
    name: ".http", summary: ".http files", help: "HTTP requests (.http, http-client.env.json)",
    endings: ["http", "rest"],
    form: .text {
      HTTPRequestLine.first(in: $0) != nil
    } _: {
      $0.readHTTP($1, $2)
    })

  private static let hurl = ImportFormat(
    name: ".hurl", summary: ".hurl files", help: "Hurl files (.hurl)", endings: ["hurl"],
    form: .text {
      ImportedCollection.isHurl($0)
    } _: {
      $0.readHurl($1, $2)
    })

  static let commandPrompt = ImportFormat(
    endings: ["bat", "cmd"],
    form: .text {
      CommandPromptWords.isOne($0)
    } _: {
      $0.readCommandPrompt($1, $2)
    })

  private static let markdown = ImportFormat(
    endings: ["md", "markdown"],
    form: .text { _ in
      false
    } _: {
      $0.readMarkdown($1, $2)
    })

  // MARK: JSON

  private static let httpEnvironments = ImportFormat(
    endings: ["json"],
    form: .json {
      $1.hasSuffix(".env.json") && $0.kind == .object
    } _: {
      $0.readHTTPEnvironments($1, isSecret: $2.contains(".private."))
    })

  private static let postman = ImportFormat(
    name: "Postman", summary: "Postman 2.1", help: "a Postman collection or environment (2.1)", endings: ["json"],
    form: .json { root, _ in
      root["info"]?["schema"]?.string?.contains("/collection/v2.") == true
        || root["info"]?["_postman_id"] != nil && root["item"] != nil
    } _: { collection, root, _ in
      collection.readPostman(root)
    })

  private static let postmanEnvironment = ImportFormat(
    endings: ["json"],
    form: .json { root, _ in
      root["_postman_variable_scope"] != nil || root["values"]?.kind == .array && root["name"] != nil
    } _: { collection, root, _ in
      collection.readPostmanEnvironment(root)
    })

  private static let insomnia4 = ImportFormat(
    name: "Insomnia", summary: "Insomnia 4 and 5", help: "an Insomnia export (4 or 5)", endings: ["json"],
    form: .json { root, _ in
      root["_type"]?.string == "export" && root["resources"]?.kind == .array
    } _: { collection, root, _ in
      collection.readInsomnia(root)
    })

  private static let altair = ImportFormat(
    name: "Altair", summary: "Altair", help: "an Altair collection (.agc, .agq, .agx)", endings: ["agc", "agq", "agx"],
    form: .json { root, _ in
      root["type"]?.string.map { ["collection", "window", "environment"].contains($0) } ?? false
    } _: { collection, root, _ in
      collection.readAltair(root, type: root["type"]?.string ?? "")
    })

  private static let har = ImportFormat(
    name: "HAR", summary: "HAR", help: "a HAR file", endings: ["har"],
    form: .json { root, _ in
      root["log"]?["entries"]?.kind == .array
    } _: { collection, root, _ in
      collection.readHAR(root)
    })

  // MARK: YAML

  private static let insomnia5 = ImportFormat(
    endings: ["yml", "yaml"],
    form: .yaml { root, _ in
      root["type"]?.string?.contains("insomnia.rest/") == true
    } _: { collection, root, _ in
      collection.readInsomnia5(root)
    })

  private static let insomnia4YAML = ImportFormat(
    endings: ["yml", "yaml"],
    form: .yaml { root, _ in
      root["_type"]?.string == "export" && root["resources"]?.kind == .array
    } _: { collection, root, _ in
      collection.readInsomnia(root)
    })

  private static let thunderClient = ImportFormat(
    name: "Thunder Client", summary: "Thunder Client", help: "a Thunder Client collection", endings: ["json"],
    form: .json { root, _ in
      root["client"]?.string == "Thunder Client" || root["clientName"]?.string == "Thunder Client"
    } _: { collection, root, _ in
      collection.readThunderClient(root)
    })

  private static let hoppscotch = ImportFormat(
    name: "Hoppscotch", summary: "Hoppscotch", help: "Hoppscotch collections and environments", endings: ["json"],
    form: .json { root, _ in
      ImportedCollection.isHoppscotch(root)
    } _: { collection, root, _ in
      collection.readHoppscotch(root)
    })

  private static let openCollection = ImportFormat(
    summary: "OpenCollection", endings: ["yml", "yaml"],
    form: .yaml {
      ImportedYAML.isOpenCollection($0, path: $1)
    } _: {
      $0.readOpenCollection($1, path: $2)
    })

  private static let bruno = ImportFormat(
    name: "Bruno", summary: "Bruno", help: "a collection of Bruno or OpenCollection", endings: ["bru"], form: .bruno)
}
