import ApusClientImports

/// The names that curl, gh and httpie use for options, and what Apus has instead.
enum OtherProgramOption {
  private struct Advice {
    /// The option that a command must have for the advice to apply; nil if it applies to every command.
    let option: String?
    let text: String

    /// The option is named differently.
    static func option(_ name: String) -> Advice { Advice(option: name, text: "did you mean --\(name)?") }
    static func text(_ text: String, ifHas option: String?) -> Advice { Advice(option: option, text: text) }
  }

  /// Returns advice for an option that a command lacks, such as `; did you mean --timeout?` for `--max-time`; nil if
  /// there is none.
  static func hint(_ name: String, _ command: CommandDescription) -> String? {
    func has(_ option: String) -> Bool { command.options.contains { $0.name == option } }
    let long = name.hasPrefix("--") ? name : CurlOptionNames.long(name)
    if let advice = advice[name] ?? advice[long] {
      return advice.option.map(has) ?? true ? "; \(advice.text)" : nil
    }
    // curl's long name is also that of Apus.
    let shared = String(long.dropFirst(2))
    return has(shared) ? "; did you mean --\(shared)?" : nil
  }

  private static let document = Advice.text(
    "pass the document with -q or -f and variables with --variables or --var", ifHas: "query")
  private static let saved = Advice.text(
    "write '> FILE' to save the output; --output selects a format", ifHas: "output")
  private static let cookie = Advice.text(
    "--cookie-jar FILE reads and saves cookies; --header 'Cookie: NAME=VALUE' sends one", ifHas: "header")
  private static let verify = Advice.text(
    "--insecure accepts any certificate; --cacert FILE trusts an authority", ifHas: "insecure")
  private static let redirects = Advice.text("redirects are always followed", ifHas: "header")

  private static let advice: [String: Advice] = [
    // curl
    "--max-time": .option("timeout"), "--cookie": cookie, "--data": document, "--data-raw": document,
    "--data-binary": document, "--data-ascii": document, "--json": document, "-o": saved, "--remote-name": saved,
    "--silent": .text("messages are on standard error: '2>/dev/null' hides them", ifHas: nil),
    "--request": .text("requests are sent by POST; --get sends a query as GET", ifHas: "get"),
    "--user-agent": .text("pass it with --header 'User-Agent: NAME'", ifHas: "header"),
    "--referer": .text("pass it with --header 'Referer: URL'", ifHas: "header"),
    "--oauth2-bearer": .text("pass it with --header 'Authorization: Bearer $TOKEN'", ifHas: "header"),
    "--form": .text("--upload VARIABLE.PATH=FILE uploads a file; --var NAME=VALUE sets a variable", ifHas: "upload"),
    "--location": redirects, "--location-trusted": .option("redirect-anywhere"), "--head": .option("include"),
    "--max-filesize": .option("max-megabytes"), "--capath": .option("cacert"),
    "--compressed": .text("compressed responses are always accepted", ifHas: "header"),
    "--fail": .text("the exit code always says what failed ('apus help exit-codes')", ifHas: nil),
    "--version": .text("'apus --version' prints the version", ifHas: nil),
    // httpie
    "--verify": verify, "--no-verify": verify, "--auth": .option("user"), "--follow": redirects,
    "--session": .option("cookie-jar"), "--download": saved,
    // gh and others
    "--format": .option("output"), "--field": .option("var"), "--raw-field": .option("var"),
    "--variable": .option("var"),
    "--input": .option("file"),
    "--method": .text("requests are sent by POST; --get sends a query as GET", ifHas: "get"),
    "--paginate": .option("all-pages"), "--endpoint": .text("write the URL as an argument", ifHas: "header"),
    "--url": .text("write the URL as an argument", ifHas: "header"), "--operation-name": .option("operation"),
    "--headers": .option("header"),
  ]
}
