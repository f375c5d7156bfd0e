import Synchronization

// Substitutes for the parts of swift-log, swift-metrics and swift-distributed-tracing that Docs/Events.md uses, which
// record their input for the tests.

/// The recorded calls, in order.
final class ReportedLines: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

// MARK: swift-log

struct Logger: Sendable {
  enum Level: String { case debug, info, warning }
  typealias Metadata = [String: String]
  let reported: ReportedLines

  func log(level: Level, _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata?) {
    let fields = (metadata() ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    reported.add("\(level) \(message())\(fields)")
  }
}

// MARK: swift-metrics

enum Metrics {
  @TaskLocal static var reported = ReportedLines()
}

struct Counter {
  let name: String
  init(label: String, dimensions: [(String, String)] = []) { name = label + described(dimensions) }
  func increment() { Metrics.reported.add(name) }
}

struct Timer {
  let name: String
  init(label: String, dimensions: [(String, String)] = []) { name = label + described(dimensions) }
  func record(duration: Duration) { Metrics.reported.add(name + (duration > .zero ? " took its time" : " took none")) }
}

private func described(_ dimensions: [(String, String)]) -> String {
  dimensions.map { " \($0.0)=\($0.1)" }.joined()
}

// MARK: swift-distributed-tracing

struct ServiceContext: Sendable {
  static let topLevel = ServiceContext()
  var parent = ""
}

enum SpanKind: String { case client, `internal` }
enum SpanAttribute { case string(String), int64(Int64) }
struct SpanStatus {
  enum Code { case ok, error }
  let code: Code
}

enum DefaultTracerClock {
  struct Timestamp {
    let nanosecondsSinceEpoch: UInt64
  }
  static var now: Timestamp { Timestamp(nanosecondsSinceEpoch: 1_700_000_000_000_000_000) }
}

final class Span {
  private let reported: ReportedLines
  private let name: String
  private let start: UInt64
  let context: ServiceContext
  var attributes: [String: SpanAttribute] = [:]
  private var status: SpanStatus.Code = .ok

  init(_ name: String, _ context: ServiceContext, _ start: UInt64, _ reported: ReportedLines) {
    (self.name, self.start, self.reported) = (
      context.parent.isEmpty ? name : "\(context.parent) > \(name)", start, reported
    )
    self.context = ServiceContext(parent: name)
  }

  func setStatus(_ status: SpanStatus) { self.status = status.code }

  func end(at instant: DefaultTracerClock.Timestamp) {
    let fields = attributes.sorted { $0.key < $1.key }.map { key, value in
      switch value {
      case .string(let text): " \(key)=\(text)"
      case .int64(let number): " \(key)=\(number)"
      }
    }.joined()
    let failed = status == .error ? " failed" : ""
    reported.add("\(name)\(fields)\(failed)\(instant.nanosecondsSinceEpoch < start ? " ends early" : "")")
  }
}

struct Tracer: Sendable {
  let reported: ReportedLines

  func startSpan(
    _ name: String, context: ServiceContext, ofKind kind: SpanKind, at instant: DefaultTracerClock.Timestamp
  ) -> Span {
    Span("\(name) (\(kind))", context, instant.nanosecondsSinceEpoch, reported)
  }
}
