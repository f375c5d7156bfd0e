import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusJSON
import ApusSecrets
import Synchronization

/// A recorded response to an operation.
package struct RecordedAnswer: Sendable {
  /// A payload, and the time from the start of the request to its arrival.
  package struct Part: Sendable {
    package let elapsed: Duration
    package let body: [UInt8]

    package init(elapsed: Duration, body: [UInt8]) { (self.elapsed, self.body) = (elapsed, body) }
  }

  package let operationName: String?
  package let document: String
  /// The variables, in which secrets are replaced by `Redactor.mark`.
  package let variables: JSONValue
  package let status: Int
  package let contentType: String
  package let parts: [Part]
  /// Whether the response ended normally.
  package let isComplete: Bool

  package init(
    operationName: String?, document: String, variables: JSONValue, status: Int, contentType: String, parts: [Part],
    isComplete: Bool
  ) {
    (self.operationName, self.document, self.variables) = (operationName, document, variables)
    (self.status, self.contentType, self.parts, self.isComplete) = (status, contentType, parts, isComplete)
  }

  var mediaType: MediaType { MediaType(parsing: contentType) }

  /// The payloads as GraphQL responses. Those of a multipart subscription are in an envelope.
  var payloads: [(elapsed: Duration, response: JSONValue)] {
    let isEnvelope = mediaType["subscriptionSpec"] != nil
    return parts.compactMap { part in
      guard let json = try? JSONDocument(parsing: part.body).root else { return nil }
      let response = isEnvelope ? json["payload"] ?? json : json
      return response.count > 0 && response.kind == .object ? (part.elapsed, response) : nil
    }
  }
}

/// Answers operations with recorded responses.
///
/// | request | answer |
/// |---|---|
/// | a recorded name, or for an operation without a name its document, and the same variables | the recording |
/// | a variable that was recorded as a secret | any string counts as the same |
/// | several recordings of it | one after another; the last one again and again |
/// | other variables, or another name | an error that says so |
package final class RecordedAPI: Sendable {
  private let answers: [RecordedAnswer]
  /// The factor of the recorded times.
  let delayScale: Double
  /// The numbers of uses of the answers, by index.
  private let uses = Mutex<[Int: Int]>([:])

  package init(_ answers: [RecordedAnswer], delayScale: Double = 1) {
    (self.answers, self.delayScale) = (answers, delayScale)
  }

  /// Returns the next answer to a request, or an error.
  func answer(to request: ExecutionRequest) throws(RequestError) -> RecordedAnswer {
    let name = request.operationName ?? request.document.operations.first?.name?.value
    let words = Self.words(request.document.text)
    let named = answers.indices.filter {
      answers[$0].operationName == name && (name != nil || Self.words(answers[$0].document) == words)
    }
    let label = name.map { "the operation \($0)" } ?? "this operation"
    guard !named.isEmpty else { throw Self.error("there is no recording of \(label)") }
    let variables = request.variables ?? .object([])
    let matching = named.filter { Self.isSame(answers[$0].variables, variables) }
    guard let first = matching.first else {
      throw Self.error("there is no recording of \(label) with these variables")
    }
    let count = uses.withLock { uses in
      defer { uses[first, default: 0] += 1 }
      return uses[first, default: 0]
    }
    return answers[matching[min(count, matching.count - 1)]]
  }

  private static func error(_ message: String) -> RequestError { RequestError(errors: [ExecutionError(message)]) }

  /// Returns the words of a document, so that white space does not matter.
  private static func words(_ document: String) -> [Substring] { document.split(whereSeparator: \.isWhitespace) }

  /// Whether the variables of a request are those of a recording. A member that is `null` may be missing.
  private static func isSame(_ recorded: JSONValue, _ sent: JSONValue) -> Bool {
    switch (recorded.kind, sent.kind) {
    case (.object, .object):
      let names = Set(recorded.members.map(\.key)).union(sent.members.map(\.key))
      return names.allSatisfy { isSame(recorded[$0] ?? .null, sent[$0] ?? .null) }
    case (.array, .array):
      return recorded.count == sent.count && zip(recorded.elements, sent.elements).allSatisfy { isSame($0, $1) }
    case (.string, .string): return recorded == sent || recorded.string == Redactor.mark
    default: return recorded == sent
    }
  }

  // MARK: Payloads

  /// Returns the first payload at its time.
  func respond(to request: ExecutionRequest) async -> ExecutionResponse {
    do throws(RequestError) {
      let answer = try self.answer(to: request)
      guard let first = answer.payloads.first else {
        return .refused(Self.error("the recorded response has no payload"))
      }
      try? await Task.sleep(for: first.elapsed * delayScale)
      return .single(first.response)
    } catch {
      return .refused(error)
    }
  }

  /// Returns the payloads at their times.
  func subscribe(to request: ExecutionRequest) -> SubscriptionResponse {
    do throws(RequestError) {
      let payloads = try answer(to: request).payloads
      return .events(stream(payloads.map { (elapsed: $0.elapsed, element: $0.response) }))
    } catch {
      return .refused(error)
    }
  }

  /// Returns elements at their times from now on.
  func stream<Element: Sendable>(_ elements: [(elapsed: Duration, element: Element)]) -> AsyncStream<Element> {
    let (stream, output) = AsyncStream.makeStream(of: Element.self)
    let (start, delayScale) = (ContinuousClock.now, delayScale)
    let task = Task {
      for (elapsed, element) in elements {
        guard (try? await Task.sleep(until: start + elapsed * delayScale, clock: .continuous)) != nil else { break }
        output.yield(element)
      }
      output.finish()
    }
    output.onTermination = { _ in task.cancel() }
    return stream
  }
}
