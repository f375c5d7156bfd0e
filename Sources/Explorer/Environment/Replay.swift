import ApusClientAPI
import ApusClientCache
import ApusClientFormats
import ApusClientOperation
import ApusClientRequestChain
import ApusClientRequests
import ApusExplorerCore
import ApusGraphQLLanguage
import ApusJSON
import ApusSecrets
import Synchronization

/// Answers operations from a recorded session, with the recorded timing, instead of a server.
///
/// 1. A run with the same fields, arguments and variables answers. Repeated requests get the next such run in turn.
/// 2. Otherwise a run that selects the same fields answers, in recorded order and with a note. This does not apply to
///    pages, because a different page would be wrong.
package final class Replay: Sendable {
  private let runs: [(run: RecordedRequest, shape: String, question: String)]
  private let name: String
  private let speed: Double
  /// The number of times that each question was asked.
  private let counts = Mutex<[String: Int]>([:])

  package struct NotRecordedError: Error, CustomStringConvertible {
    package let description: String
  }

  struct Answer<Data: Sendable> {
    let results: AsyncThrowingStream<GraphQLResult<Data>, any Error>
    /// A note for the user.
    var note: String?
  }

  package init(_ runs: [RecordedRequest], name: String, speed: Double = 1) {
    self.runs = runs.compactMap { run in
      let document = Document(parsing: run.draft.query.parsable)
      guard let operation = try? CompiledOperation.compile(document, operationName: run.draft.operationName) else {
        return nil
      }
      return (run, Self.shape(of: operation), Self.question(operation, Self.withoutSecrets(run.variables, operation)))
    }
    self.name = name
    self.speed = speed
  }

  /// Distinct operations that the user ran, at most 20.
  package var operations: [RequestDraft] {
    var seen: Set<String> = []
    return runs.filter { !$0.run.isPage && seen.insert($0.question).inserted }.prefix(20).map(\.run.draft)
  }

  /// Returns variables in which every secret is a mark, so that a recorded number equals the mark in an editor.
  private static func withoutSecrets(_ variables: JSONValue, _ operation: CompiledOperation) -> JSONValue {
    Redactor(document: operation.documentText, variables: variables).json(variables, areVariables: true)
  }

  /// Returns the recorded answer. It is written to the store as a server's response would be.
  func answer<Operation: GraphQLOperation>(
    to operation: Operation, isPage: Bool = false, _ options: RequestOptions, _ store: CacheStore
  ) throws(NotRecordedError) -> Answer<Operation.Data> {
    let question = Self.question(
      operation.compiled, Self.withoutSecrets(operation.variables, operation.compiled))
    let same = runs.filter { $0.question == question }
    if !same.isEmpty { return Answer(results: next(same, question, operation, options, store).results) }
    if isPage { throw NotRecordedError(description: "\(name) does not have this page") }
    let shape = Self.shape(of: operation.compiled)
    let alike = runs.filter { $0.shape == shape && !$0.run.isPage }
    guard !alike.isEmpty else { throw NotRecordedError(description: "\(name) has no response to this operation") }
    let (results, number) = next(alike, shape, operation, options, store)
    return Answer(
      results: results,
      note: "\(name) has this operation only with other variables: showing response \(number) of \(alike.count)")
  }

  private func next<Operation: GraphQLOperation>(
    _ answers: [(run: RecordedRequest, shape: String, question: String)], _ key: String, _ operation: Operation,
    _ options: RequestOptions, _ store: CacheStore
  ) -> (results: AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error>, number: Int) {
    let index = counts.withLock { counts in
      defer { counts[key, default: 0] += 1 }
      return counts[key, default: 0] % answers.count
    }
    return (answers[index].run.results(of: operation, options, store, named: name, speed: speed), index + 1)
  }

  // MARK: Matching operations

  /// Returns the fields of an operation, without those added for the cache.
  private static func shape(of operation: CompiledOperation) -> String {
    text(of: operation) { $0.responseKey }
  }

  /// Returns the fields with the values of their arguments, and the variables.
  private static func question(_ operation: CompiledOperation, _ variables: JSONValue) -> String {
    let effective = operation.effectiveVariables(variables)
    // Variables can also control @skip and @include, which the argument keys do not cover.
    let given = operation.variableDefinitions.map { "\($0.name)=\(effective[$0.name]?.description ?? "")" }.sorted()
    let fields = text(of: operation) { "\($0.responseKey):\($0.argumentsKey(variables: effective))" }
    return "\(given.joined(separator: ",")) \(fields)"
  }

  private static func text(of operation: CompiledOperation, _ describe: (CompiledField) -> String) -> String {
    func write(_ set: CompiledSelectionSet, _ text: inout String) {
      for selection in set.selections {
        switch selection {
        case .field(let field):
          guard !field.isAdded else { continue }
          text += describe(field) + " "
          guard let inner = field.selectionSet else { continue }
          text += "{"
          write(inner, &text)
          text += "}"
        case .fragment(let fragment):
          text += "...{"
          write(fragment.selectionSet, &text)
          text += "}"
        }
      }
    }
    var text = "\(operation.operationType.rawValue) \(operation.name ?? "") {"
    write(operation.selections, &text)
    return text
  }
}

extension AsyncThrowingStream where Failure == any Error {
  static func finished(throwing error: any Error) -> Self { Self { $0.finish(throwing: error) } }
}
