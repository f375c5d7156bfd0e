/// The descriptions of the values of options and operands, for help and shell completions, by a value (`ndjson`) or an
/// option or command with a value (`cache keys`).
enum ChoiceSummary {
  /// Returns the description of a value; nil if it has none. A value with several meanings has a row for each option or
  /// command: `incremental auto`.
  ///
  /// - Parameter place: The name of the option, or of the command for an operand.
  static func of(_ value: String, in place: String) -> String? { rows["\(place) \(value)"] ?? rows[value] }

  private static let rows: [String: String] = [
    // Formats of results
    "json": "one JSON object", "ndjson": "one JSON object per line for each payload", "pretty": "JSON with indentation",
    "table": "the first list of objects in columns", "csv": "the same rows as CSV", "tsv": "the same rows with tabs",
    "yaml": "YAML 1.2",
    // Formats of reports
    "text": "lines for people", "sarif": "code scanning results (SARIF 2.1.0)",
    "github": "annotations of GitHub Actions", "junit": "a test report (JUnit XML)",
    "markdown": "a comment for a pull request",
    "sdl": "the schema definition language", "apollo": "a persisted query manifest of Apollo",
    "relay": "a map of documents of Relay",
    // Sending
    "incremental auto": "every format; the server chooses", "20220824": "the 2022 format (deferSpec=20220824)",
    "v0.2": "the v0.2 format (incrementalSpec=v0.2)", "off": "one response without deferred fragments",
    "subscription-transport auto": "WebSocket, or HTTP if the server has none", "ws": "graphql-transport-ws",
    "legacy-ws": "graphql-ws of subscriptions-transport-ws", "sse": "server-sent events",
    "multipart": "multipart HTTP (subscriptionSpec=1.0)",
    "cacheFirst": "the cache if it is complete, else the network", "networkFirst": "the network; the cache if it fails",
    "networkOnly": "the network", "cacheOnly": "the cache; missing data is an error",
    "cacheAndNetwork": "the cache, then the network",
    "NULL": "a field with an error is null", "PROPAGATE": "the nearest nullable field is null",
    "HALT": "the first error ends the execution",
    // Audits and changes
    "http": "GraphQL over HTTP", "errors": "errors in responses", "incremental": "@defer and @stream",
    "subscriptions": "subscriptions over WebSocket and HTTP", "uploads": "multipart uploads",
    "persisted": "automatic persisted queries", "paging": "connections and cursors",
    "breaking": "changes that make operations invalid",
    "error": "errors only", "warning": "errors and warnings",
    "dangerous": "changes that may surprise clients, and breaking ones",
    // Operands
    "cache keys": "list the keys of all records", "cache show": "print the fields of a record",
    "cache refs": "list the fields that refer to a record", "cache evict": "remove records",
    "cache gc": "remove unreachable records", "cache stats": "count the records by type",
    "cache export": "print the whole cache as JSON", "cache import": "add the records of an export",
    "schema diff": "compare two schemas", "schema lint": "lint a schema",
    "bash": "a script for bash", "zsh": "a script for zsh", "fish": "a script for fish",
    "help topics": "list the topics",
  ]
}
