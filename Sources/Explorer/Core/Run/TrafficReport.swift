import ApusFormatting
import ApusClientAPI
import ApusSecrets

/// The traffic of a run as lines to display, search, copy and save.
package struct TrafficReport: Equatable, Sendable {
  package enum Line: Equatable, Sendable {
    case heading(String)
    case fact(name: String, value: String)
    case boundary(String)
    case header(String)
    case text(String)
    /// A phase or part as a bar on the time axis of the request, from one fraction of it to another.
    case bar(name: String, Range<Double>, time: String)
    case blank
  }

  package private(set) var lines: [Line] = []

  package init(_ traffic: Traffic?) {
    if let failure = traffic?.failure {
      lines += [.text("\(failure). The cache supplied the response."), .blank]
    }
    guard let traffic, traffic.wasUsed else {
      lines.append(.text("This run did not use the network"))
      return
    }
    add("status", traffic.status)
    add("negotiated format", traffic.format)
    add("subscription", traffic.subscription.map(Self.words))
    if !traffic.outages.isEmpty { add("connection lost", DisplayFormat.plural(traffic.outages.count, "time")) }
    add(
      "upload",
      traffic.upload.map { "\(DisplayFormat.bytes($0.sentByteCount)) of \(DisplayFormat.bytes($0.totalByteCount))" })
    addPhases(of: traffic)
    addFacts("Connection", traffic.connection)
    addFacts("Certificate", traffic.certificate)
    for (index, request) in traffic.requests.enumerated() {
      add(request, number: traffic.requests.count > 1 ? index + 1 : nil, isWebSocket: traffic.isWebSocket)
    }
    if !traffic.headers.isEmpty { lines += [.blank, .heading("Header fields")] + traffic.headers.map { .header($0) } }
    addCookies(traffic.headers)
    addParts(of: traffic)
  }

  /// Lines as text, with the values of secret header fields redacted.
  package var text: String {
    var isInCookies = false
    return lines.map { line in
      switch line {
      case .heading(let text):
        isInCookies = text == Self.cookies
        return "# \(text)"
      case .fact(let name, let value): return "\(name): \(isInCookies ? Redactor.mark : value)"
      case .boundary(let text): return "-- \(text)"
      case .header(let text): return Self.masked(text)
      case .text(let text): return text
      case .bar(let name, _, let time): return "\(name): \(time)"
      case .blank: return ""
      }
    }.joined(separator: "\n") + "\n"
  }

  private static func masked(_ field: String) -> String {
    guard let colon = field.firstIndex(of: ":"), SecretNames.contains(String(field[..<colon]), in: .header) else {
      return field
    }
    return "\(field[..<colon]): \(Redactor.mark)"
  }

  /// Returns the indexes of the lines that contain a string, ignoring case.
  package func lines(with text: String) -> [Int] {
    let query = text.lowercased()
    guard !query.isEmpty else { return [] }
    return lines.indices.filter { index in
      switch lines[index] {
      case .heading(let text), .boundary(let text), .header(let text), .text(let text):
        text.lowercased().contains(query)
      case .fact(let name, let value): "\(name) \(value)".lowercased().contains(query)
      case .bar(let name, _, let time): "\(name) \(time)".lowercased().contains(query)
      case .blank: false
      }
    }
  }

  // MARK: Building the lines

  private mutating func add(_ name: String, _ value: String?) {
    if let value { lines.append(.fact(name: name, value: value)) }
  }

  private mutating func addFacts(_ title: String, _ facts: [Traffic.Fact]) {
    guard !facts.isEmpty else { return }
    lines += [.blank, .heading(title)]
    for fact in facts { add(fact.name, fact.value) }
  }

  private mutating func add(_ request: Traffic.Request, number: Int?, isWebSocket: Bool) {
    let title = number.map { "Request \($0)  \(DisplayFormat.duration(request.elapsed))" } ?? "Request"
    let method = isWebSocket ? "WebSocket, then the operation as a message:" : request.method
    lines += [.blank, .heading(title), .text("\(method) \(request.url)")]
    lines += request.headers.map { .header($0) }
    for member in request.members where !member.text.isEmpty {
      lines += [.blank, .boundary(member.name)]
      for line in member.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        lines.append(.text(String(line)))
      }
    }
  }

  private static let cookies = "Cookies"

  /// Adds the cookies that the response sets, by name, each followed by its attributes.
  private mutating func addCookies(_ headers: [String]) {
    let cookies = headers.filter { $0.lowercased().hasPrefix("set-cookie:") }.map { $0.dropFirst(11) }
    guard !cookies.isEmpty else { return }
    lines += [.blank, .heading(Self.cookies)]
    for cookie in cookies {
      let parts = cookie.split(separator: ";").map { String($0.drop { $0 == " " }) }
      guard let first = parts.first else { continue }
      let pair = first.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      add(pair.first ?? "", pair.count > 1 ? pair[1] : "")
      if parts.count > 1 { add("", parts.dropFirst().joined(separator: "; ")) }
    }
  }

  private mutating func addParts(of traffic: Traffic) {
    if traffic.droppedCount > 0 {
      lines += [.blank, .text("\(traffic.droppedCount) earlier payloads were dropped")]
    }
    var outages = traffic.outages[...]
    if traffic.droppedCount > 0, let first = traffic.parts.first { outages = outages.drop { $0.start < first.elapsed } }
    for (index, part) in traffic.parts.enumerated() {
      while let outage = outages.first, outage.start < part.elapsed {
        add(outage, of: traffic)
        outages.removeFirst()
      }
      let number = traffic.droppedCount + index + 1
      lines += [
        .blank,
        .boundary("payload \(number)  \(DisplayFormat.duration(part.elapsed))  \(DisplayFormat.bytes(part.byteCount))"),
      ]
      lines += part.headers.map { .header($0) }
      for line in part.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        lines.append(.text(String(line)))
      }
      if part.isCut { lines.append(.text("…")) }
    }
    for outage in outages { add(outage, of: traffic) }
  }

  private mutating func add(_ outage: Traffic.Outage, of traffic: Traffic) {
    let attempts = DisplayFormat.plural(outage.attempts, "attempt")
    let since = traffic.subscription == .finished ? "not reconnected" : "reconnecting"
    let end = outage.end.map { "reconnected  \(DisplayFormat.duration($0))" } ?? since
    lines += [.blank, .boundary("connection lost  \(DisplayFormat.duration(outage.start))  \(end), \(attempts)")]
    lines.append(.text(outage.reason))
  }

  /// Adds a bar for each phase, from the end of the previous phase to its own. The parts go between the first byte and
  /// the last.
  private mutating func addPhases(of traffic: Traffic) {
    guard let last = traffic.phases.last, last.end > .zero else { return }
    let parts = traffic.parts.suffix(Self.partLimit).enumerated().map { index, part in
      let number = traffic.droppedCount + max(0, traffic.parts.count - Self.partLimit) + index + 1
      return Traffic.Phase(name: "payload \(number)", end: part.elapsed)
    }
    let end = max(last.end, parts.last?.end ?? .zero)
    lines += [.blank, .heading("Phases")]
    var start = Duration.zero
    let phases: [Traffic.Phase] = Array(traffic.phases.dropLast()) + (parts.count > 1 ? parts : []) + [last]
    for phase in phases {
      let until = max(start, phase.end)
      lines.append(.bar(name: phase.name, (start / end)..<(until / end), time: DisplayFormat.duration(phase.end)))
      start = until
    }
  }

  /// The maximum number of parts shown among the phases; the newest are shown.
  private static let partLimit = 20

  /// Returns the display text for the state of a subscription's connection.
  package static func words(_ state: SubscriptionState) -> String {
    if case .reconnecting(let attempt, let reason) = state { return "reconnecting (attempt \(attempt)): \(reason)" }
    return state.name
  }
}
