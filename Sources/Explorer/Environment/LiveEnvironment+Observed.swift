import ApusClientAPI
import ApusClientOperation
import ApusClientRequestChain
import ApusExplorerCore

/// Following requests of an application under `apus tap`.
extension LiveEnvironment {
  /// Shows a request of the application as a run: its payloads so far, then those that follow. Nothing is sent.
  func follow(_ number: Int, as id: Int, _ send: ExplorerEnvironment.Send) async {
    guard let observed = endpoint.observed, let exchange = observed.exchange(number) else {
      return send(.run(id, .failed(RunError(.document, ObservedTraffic.notStored(number)))))
    }
    exchange.addSecrets(to: secrets)
    addSession(of: exchange, id)
    let compiled = exchange.request.compiled
    send(
      .run(
        id,
        .started(
          OperationInfo(
            name: exchange.operationName, kind: exchange.row.type.isEmpty ? "operation" : exchange.row.type,
            hidden: compiled.map { HiddenFields(of: $0.selections) } ?? HiddenFields(), startedAt: exchange.row.time))))
    let backlog = FlowControl()
    var position = 0
    for await _ in observed.changes(of: number) {
      // A response that was dropped in the meantime is shown as far as it has come.
      guard let exchange = observed.exchange(number) else { return send(.run(id, .failed(Self.dropped(number)))) }
      let (results, end) = exchange.results(from: position)
      position = end
      for result in results {
        let receipt = await backlog.receipt(for: result.byteCount)
        send(.run(id, .resultReceived(result)))
        send(.receiptReleased(receipt))
      }
      send(.run(id, .trafficObserved(exchange.traffic)))
      guard exchange.hasEnded else { continue }
      return send(.run(id, exchange.failure.map { .failed($0) } ?? .completed))
    }
  }

  private static func dropped(_ number: Int) -> RunError {
    RunError(.response, ObservedTraffic.notStored(number), summary: "no longer stored")
  }

  /// Adds the run, so that its records are found and its traffic can be saved. A request without a readable document has none.
  private func addSession(of exchange: StoredExchange, _ id: Int) {
    guard let compiled = exchange.request.compiled, let document = exchange.request.document else { return }
    var session = RunSession(
      id: id, operation: DynamicOperation(compiled: compiled, variables: exchange.request.parameters.variables),
      text: document, options: RequestOptions(), files: [], client: client, hasRenewableCredentials: false, start: nil)
    session.observe(exchange.request.cacheRequest)
    session.exchange = exchange.recording
    sessions.add(session)
  }
}
