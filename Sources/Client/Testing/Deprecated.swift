// Former names of public declarations, which the next version removes.

import ApusClientAPI

/// The former name of `MockResponse`.
@available(*, deprecated, renamed: "MockResponse")
public typealias MockAnswer = MockResponse

extension MockResponse {
  /// The former name of `Payload`.
  @available(*, deprecated, renamed: "Payload")
  public typealias Part = Payload
}

/// The former name of `RecordingFormatError`.
@available(*, deprecated, renamed: "RecordingFormatError")
public typealias MalformedRecording = RecordingFormatError

extension MockServer {
  /// The former name of `respond(to:with:)`.
  @available(*, deprecated, renamed: "respond(to:with:)")
  public func answer(_ operationName: String? = nil, with answer: MockResponse) {
    respond(to: operationName, with: answer)
  }

  /// The former name of `respond(to:with:)`.
  @available(*, deprecated, renamed: "respond(to:with:)")
  public func answer<Operation: GeneratedOperation>(_ operation: Operation.Type, with answer: MockResponse) {
    respond(to: operation, with: answer)
  }

  /// The former name of `respondAlways(to:with:)`.
  @available(*, deprecated, renamed: "respondAlways(to:with:)")
  public func answerAlways(
    _ operationName: String? = nil, with answer: @escaping @Sendable (MockRequest) throws -> MockResponse
  ) {
    respondAlways(to: operationName, with: answer)
  }

  /// The former name of `respondAlways(to:with:)`.
  @available(*, deprecated, renamed: "respondAlways(to:with:)")
  public func answerAlways<Operation: GeneratedOperation>(
    _ operation: Operation.Type, with answer: @escaping @Sendable (MockRequest) throws -> MockResponse
  ) {
    respondAlways(to: operation, with: answer)
  }

  /// The former name of `unusedResponses`.
  @available(*, deprecated, renamed: "unusedResponses")
  public var unusedAnswers: [String?] { unusedResponses }
}

extension TestClock {
  /// The former name of `waitForSleeper()`.
  @available(*, deprecated, renamed: "waitForSleeper()")
  public func untilSomebodySleeps() async { await waitForSleeper() }
}

extension TestGate {
  /// The former name of `waitUntilReached()`.
  @available(*, deprecated, renamed: "waitUntilReached()")
  public func reached() async { await waitUntilReached() }
}
