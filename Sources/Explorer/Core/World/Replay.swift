import ClientAPI
import ClientFormats
import ClientOperation
import ClientRequestChain
import GraphQLLanguage
import JSON
import Synchronization

/// A recorded session in the place of a server: an operation that was recorded is answered as it was, with its timing.
package final class Replay: Sendable {
  private let runs: [RecordedRun]
  private let name: String
  private let speed: Double
  /// How often each text was asked for: the second time, the second answer to it is given.
  private let asked = Mutex<[String: Int]>([:])

  package struct NotRecorded: Error, CustomStringConvertible {
    package let description: String
  }

  package init(_ runs: [RecordedRun], name: String, speed: Double = 1) {
    self.runs = runs
    self.name = name
    self.speed = speed
  }

  /// The texts that have an answer, each once, with the variables that they were asked with.
  package var operations: [(query: String, variables: String)] {
    var seen: Set<String> = []
    return runs.filter { seen.insert($0.query + ($0.operationName ?? "")).inserted }.map { run in
      (run.query, run.variables.count == 0 ? "" : JSONWriter.pretty(run.variables))
    }
  }

  func results(of operation: DynamicOperation) -> AsyncThrowingStream<GraphQLResult<JSONValue>, any Error> {
    let key = Self.key(of: operation.compiled)
    let answers = runs.filter { run in
      let document = Document(parsing: run.query)
      return (try? CompiledOperation.compile(document, operationName: run.operationName)).map(Self.key) == key
    }
    guard !answers.isEmpty else {
      return .finished(throwing: NotRecorded(description: "\(name) has no answer to this operation"))
    }
    let count = asked.withLock { asked in
      defer { asked[key, default: 0] += 1 }
      return asked[key, default: 0]
    }
    let request = GraphQLRequest(operation: operation, http: .init(url: name))
    return answers[count % answers.count].chain(named: name, speed: speed).kickoff(request: request)
  }

  /// The operation as it is asked for: what is added for the cache's sake makes no other one of it.
  private static func key(of operation: CompiledOperation) -> String {
    func write(_ set: CompiledSelectionSet, _ text: inout String) {
      for selection in set.selections {
        switch selection {
        case .field(let field):
          guard !field.isAdded else { continue }
          text += field.responseKey + " "
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
