import ApusClientAPI
import ApusClientFormats
import ApusExplorerCore
import ApusSecrets

extension ExplorerWorld {
  /// Adds the formats of requests and tables for other programs. `secrets` receives the credentials in imported files.
  package mutating func useExchangeFormats(secrets: SecretValues = SecretValues()) {
    writeRequest = { RequestExchange.write($0, as: $1) }
    importRequest = { RequestImport.read($0, secrets: secrets) }
    writeTable = { $0.written(as: $1) }
  }
}

/// Writes requests in shareable formats: curl commands, HTTP files and `apus` command lines.
enum RequestExchange {
  static func write(_ request: ExchangedRequest, as form: RequestForm) -> WrittenRequest {
    var shared = SharedRequest(
      url: request.url, headers: request.headers.map { .init(name: $0.name, value: $0.value) }, query: request.query,
      variables: request.variables, operationName: request.operationName)
    shared.extensions = request.extensions
    shared.cachePolicy = request.cachePolicy?.rawValue
    let text =
      switch form {
      case .curlCommand: shared.curlCommand
      case .httpFile: shared.httpFile
      case .apusCommand: shared.apusCommand
      }
    var names: [String] = []
    for name in request.headers.flatMap(\.value.variables) where !names.contains(name) { names.append(name) }
    return WrittenRequest(text: text, variables: names)
  }
}

extension ResponseTable {
  fileprivate func written(as format: Format) -> String {
    switch format {
    case .csv:
      let rows = [shownColumns.map { columns[$0].title }] + (0..<count).map { shownCells(ofRow: $0) }
      return rows.map { $0.map(CSVFormat.cell).joined(separator: ",") + "\r\n" }.joined()
    case .json:
      let items = wholeItems
      return SharedJSON(.array(items.map(\.value)), without: items.first?.hidden).pretty + "\n"
    case .ndjson: return wholeItems.map { String(decoding: $0.compactBytes, as: UTF8.self) + "\n" }.joined()
    }
  }
}
