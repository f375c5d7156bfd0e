import ApusClientAPI
import ApusClientFormats
import ApusClientOperation
import ApusDigest
import ApusExplorerCore
import ApusGraphQLLanguage
import ApusSecrets

extension ExplorerEnvironment {
  /// Adds the formats of requests and tables for other programs. `secrets` receives the credentials in imported files.
  package mutating func useExchangeFormats(secrets: SecretValues = SecretValues()) {
    writeRequest = { RequestExchange.write($0, as: $1) }
    importRequest = { RequestImporter.read($0, secrets: secrets) }
    writeTable = { $0.written(as: $1) }
  }
}

/// Writes requests in shareable formats: curl commands, HTTP files and `apus` command lines.
enum RequestExchange {
  static func write(_ request: PortableRequest, as form: RequestFormat) -> WrittenRequest {
    var shared = RequestExport(
      url: request.url, headers: request.headers.map { .init(name: $0.name, value: $0.value) }, query: request.query,
      variables: request.variables, operationName: request.operationName)
    shared.extensions = request.extensions
    let type = operationType(of: request)
    shared.usesGET = request.options.usesGET && type == .query
    if request.options.usesPersistedQueries, type != .subscription {
      shared.digest = SHA256Digest.hexadecimal(of: request.query)
    }
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

  static func operationType(of request: PortableRequest) -> CompiledOperation.OperationType {
    let operations = Document(parsing: request.query).operations
    let chosen = operations.first { $0.name?.value == request.operationName } ?? operations.first
    return switch chosen?.operation {
    case .subscription: .subscription
    case .mutation: .mutation
    case .query, nil: .query
    }
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
