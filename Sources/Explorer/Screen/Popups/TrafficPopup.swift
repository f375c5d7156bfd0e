import ApusClientAPI
import ApusClientSubscriptions
import ApusExplorerCore
import ApusExplorerTerminal

/// The lines of the popup that shows what went over the wire.
struct TrafficLines {
  enum Line {
    case heading(String)
    case fact(name: String, value: String)
    case boundary(String)
    case header(String)
    case text(String)
    /// A phase or a part on the axis of the request, from one hundredth to another.
    case bar(name: String, Range<Double>, time: String)
    case blank
  }

  private(set) var lines: [Line] = []
  private let width: Int
  static let nameWidth = 16

  init(_ traffic: Traffic?, width: Int) {
    self.width = width
    if let failure = traffic?.failure {
      lines += Self.wrapped("\(failure). The cache answered in its place.", width).map { .text($0) } + [.blank]
    }
    guard let traffic, traffic.status != nil || traffic.subscription != nil || traffic.upload != nil else {
      lines.append(.text("Nothing came over the wire for this run"))
      return
    }
    add("answer", traffic.status)
    add("agreed format", traffic.format)
    add("subscription", traffic.subscription.map(Self.words))
    if !traffic.outages.isEmpty { add("connection lost", Wording.plural(traffic.outages.count, "time")) }
    add("upload", traffic.upload.map { "\(Wording.bytes($0.sentByteCount)) of \(Wording.bytes($0.totalByteCount))" })
    addPhases(of: traffic)
    addFacts("Connection", traffic.connection)
    addFacts("Certificate", traffic.certificate)
    if !traffic.headers.isEmpty {
      lines += [.blank, .heading("Header fields")]
      for header in traffic.headers { lines += Self.wrapped(header, width).map { .header($0) } }
    }
    addCookies(traffic.headers)
    if traffic.droppedCount > 0 {
      lines += [.blank, .text("\(traffic.droppedCount) parts before these are forgotten")]
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
        .boundary("part \(number)  \(Wording.duration(part.elapsed))  \(Wording.bytes(part.byteCount))"),
      ]
      for header in part.headers { lines += Self.wrapped(header, width).map { .header($0) } }
      for line in part.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        lines += Self.wrapped(String(line), width).map { .text($0) }
      }
      if part.isCut { lines.append(.text("…")) }
    }
    for outage in outages { add(outage, of: traffic) }
  }

  private mutating func add(_ outage: Traffic.Outage, of traffic: Traffic) {
    let attempts = Wording.plural(outage.attempts, "attempt")
    let since = traffic.subscription == .finished ? "not made anew" : "reconnecting"
    let end = outage.end.map { "live again  \(Wording.duration($0))" } ?? since
    lines += [.blank, .boundary("connection lost  \(Wording.duration(outage.start))  \(end), \(attempts)")]
    lines += Self.wrapped(outage.reason, width).map { .text($0) }
  }

  /// Each phase from the end of the one before to its own; the parts lie between the first byte and the last.
  private mutating func addPhases(of traffic: Traffic) {
    guard let last = traffic.phases.last, last.end > .zero else { return }
    let parts = traffic.parts.suffix(Self.partLimit).enumerated().map { index, part in
      let number = traffic.droppedCount + max(0, traffic.parts.count - Self.partLimit) + index + 1
      return Traffic.Phase(name: "part \(number)", end: part.elapsed)
    }
    let end = max(last.end, parts.last?.end ?? .zero)
    lines += [.blank, .heading("Phases")]
    var start = Duration.zero
    let phases: [Traffic.Phase] = Array(traffic.phases.dropLast()) + (parts.count > 1 ? parts : []) + [last]
    for phase in phases {
      let until = max(start, phase.end)
      lines.append(
        .bar(name: phase.name, (start / end)..<(until / end), time: Wording.duration(phase.end)))
      start = until
    }
  }

  /// More parts than these are no phases any more: the newest are shown.
  private static let partLimit = 20

  private mutating func addFacts(_ title: String, _ facts: [Traffic.Fact]) {
    guard !facts.isEmpty else { return }
    lines += [.blank, .heading(title)]
    for fact in facts { add(fact.name, fact.value) }
  }

  private mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    for (index, line) in Self.wrapped(value, max(8, width - Self.nameWidth)).enumerated() {
      lines.append(.fact(name: index == 0 ? name : "", value: line))
    }
  }

  /// What the answer set, by name; what else is said of a cookie beneath it.
  private mutating func addCookies(_ headers: [String]) {
    let cookies = headers.filter { $0.lowercased().hasPrefix("set-cookie:") }.map { $0.dropFirst(11) }
    guard !cookies.isEmpty else { return }
    lines += [.blank, .heading("Cookies")]
    for cookie in cookies {
      let parts = cookie.split(separator: ";").map { String($0.drop { $0 == " " }) }
      let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      add(pair[0], pair.count > 1 ? pair[1] : "")
      if parts.count > 1 { add("", parts.dropFirst().joined(separator: "; ")) }
    }
  }

  static func words(_ state: SubscriptionState) -> String {
    if case .reconnecting(let attempt, let reason) = state { return "reconnecting (attempt \(attempt)): \(reason)" }
    return state.name
  }

  /// What is too long goes on beneath its beginning, further in, and is broken between words where that is possible.
  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    guard TextWidth.width(of: text) > width else { return [text] }
    return TextWrapping.hangingLines(
      of: String(text.drop { $0 == " " }), width: width, indentation: min(text.prefix { $0 == " " }.count, width / 2))
  }
}

extension TrafficState: DrawnPopup {
  func place(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    PopupGeometry.page(in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintTraffic(geometry, scroll: scroll) }
}

extension Painter {
  private mutating func paintPhase(_ name: String, _ share: Range<Double>, _ time: String, in rect: Rect) {
    put(name, at: rect.column, in: rect, theme[.popupMuted])
    let first = rect.column + TrafficLines.nameWidth
    let width = max(1, rect.width - TrafficLines.nameWidth - 10)
    let start = min(width - 1, Int(share.lowerBound * Double(width)))
    let end = min(width, max(start + 1, Int((share.upperBound * Double(width)).rounded())))
    let bar = String(repeating: glyphs.bar, count: end - start)
    put(bar, at: first + start, in: rect, theme[.accent, on: .popup])
    put(time, at: first + width + 1, in: rect, theme[.popup])
  }

  mutating func paintTraffic(_ geometry: PopupGeometry, scroll: Int) {
    paintBox(geometry.frame, title: "Traffic")
    let list = geometry.list
    let lines = TrafficLines(state.tab.response.traffic, width: list.width - 2).lines
    let first = min(scroll, max(0, lines.count - list.height))
    for row in 0..<min(list.height, max(0, lines.count - first)) {
      let rect = list.line(row)
      switch lines[first + row] {
      case .blank: break
      case .heading(let text): put(text, at: rect.column, in: rect, theme[.heading, on: .popup])
      case .fact(let name, let value):
        put(name, at: rect.column, in: rect, theme[.popupMuted])
        put(value, at: rect.column + TrafficLines.nameWidth, in: rect, theme[.popup])
      case .boundary(let text):
        let rule = String(repeating: glyphs.border.horizontal, count: 2)
        put("\(rule) \(text) \(rule)", at: rect.column, in: rect, theme[.accent, on: .popup])
      case .header(let text): put(text, at: rect.column + 1, in: rect, theme[.popupMuted])
      case .text(let text): put(text, at: rect.column + 1, in: rect, theme[.popup])
      case .bar(let name, let share, let time): paintPhase(name, share, time, in: rect)
      }
    }
    paintScrollBar(
      first: first, shown: list.height, count: lines.count,
      in: Rect(column: list.column, row: list.row, width: list.width + 1, height: list.height), on: .popup)
  }
}
