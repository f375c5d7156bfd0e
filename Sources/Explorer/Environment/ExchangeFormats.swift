import ApusClientFormats
import ApusClientOperation
import ApusClientRequests
import ApusExplorerCore
import ApusGraphQLLanguage
import ApusSecrets

extension ExplorerEnvironment {
  /// Adds the formats of requests and tables for other programs. `secrets` receives the credentials in imported files.
  package mutating func useExchangeFormats(secrets: SecretValues = SecretValues()) {
    exchange.writeRequest = { RequestExchange.write($0, as: $1) }
    exchange.importRequest = { RequestImporter.read($0, secrets: secrets) }
    exchange.writeTable = { $0.written(as: $1) }
  }
}

/// Writes requests in shareable formats: curl commands, HTTP files and `apus` command lines.
enum RequestExchange {
  static func write(_ request: RequestDraft, as form: RequestFormat) -> WrittenRequest {
    var request = request
    let operation = DraftOperation.node(of: request)
    let type = operation?.operation ?? .query
    // A run sends the name too.
    request.operationName = request.operationName ?? operation?.name?.value
    if type == .mutation { request.options.usesGET = false }
    if type != .subscription { request.options.subscriptionURL = "" }
    if type == .subscription { request.options.usesPersistedQueries = false }
    let (text, names, namesInJSON) =
      switch form {
      case .curlCommand: (request.curlCommand, request.environmentNames, request.environmentNamesInJSON)
      case .httpFile: (request.httpFile, request.environmentNames, request.environmentNamesInJSON)
      case .apusCommand:
        (request.apusCommand, request.environmentNamesOfCommand, request.environmentNamesInJSONOfCommand)
      }
    // An `apus` command has the document as plain text, whose strings have the escapes of JSON.
    let inDocument = form == .apusCommand ? [] : request.environmentNamesInDocument
    return WrittenRequest(
      text: text, variables: names, variablesInJSON: namesInJSON, variablesInDocument: inDocument)
  }
}

extension ResponseTable {
  fileprivate func written(as format: Format) -> String {
    switch format {
    case .csv: return lines(separator: ",", end: "\r\n", cell: CSVFormat.cell)
    case .tsv: return lines(separator: "\t", end: "\n", cell: TSVFormat.cell)
    case .json:
      let items = wholeItems
      if isSingleRow { return (items.first?.pretty ?? "") + "\n" }
      return VisibleJSON(.array(items.map(\.value)), without: items.first?.hidden).pretty + "\n"
    case .ndjson: return wholeItems.map { String(decoding: $0.compactBytes, as: UTF8.self) + "\n" }.joined()
    }
  }

  /// A header line, unless the table is a single row, and a line per row.
  private func lines(separator: String, end: String, cell: (String) -> String) -> String {
    let header = isSingleRow ? [] : [shownColumns.map { columns[$0].title }]
    let rows = header + (0..<count).map { shownCells(ofRow: $0) }
    return rows.map { $0.map(cell).joined(separator: separator) + end }.joined()
  }
}
