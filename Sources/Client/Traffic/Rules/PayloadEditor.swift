import ApusJSON

/// Applies delivery rules to the payloads of one response.
struct PayloadEditor: Sendable {
  /// The effect of the rules on a payload.
  struct Edit {
    /// The payload to send; `nil` for none.
    let payload: JSONValue?
    let delay: Duration
    let isHeld: Bool
  }

  private let rules: DeliveryRules
  private var payloadCount = 0
  private var fragments = FragmentEdit()
  /// The rules that changed the response, each once, as the user wrote them.
  private(set) var changes: [String] = []
  /// Whether the connection is broken after the payload before.
  private(set) var isCut = false

  init(_ rules: DeliveryRules) { self.rules = rules }

  /// Processes the next payload.
  mutating func edit(_ payload: JSONValue) -> Edit {
    fragments.read(payload)
    var delay = Duration.zero
    var edited: JSONValue? = payload
    for rule in rules.rules where isAbout(rule.selector, payload) {
      switch rule.action {
      case .delay(let duration): delay += duration
      case .fail, .drop:
        guard case .label(let label) = rule.selector else { continue }
        edited = edited.flatMap { fragments.edited($0, label: label, error: rule.action == .fail ? rule.text : nil) }
      }
      note(rule.text)
    }
    payloadCount += 1
    if payloadCount == rules.cutAfter {
      isCut = true
      note("--cut-after \(payloadCount)")
    }
    let isHeld = rules.holds && edited != nil
    if isHeld { note("--hold") }
    return Edit(payload: edited, delay: delay, isHeld: isHeld)
  }

  private mutating func note(_ change: String) {
    if !changes.contains(change) { changes.append(change) }
  }

  private func isAbout(_ selector: DeliveryRules.Selector, _ payload: JSONValue) -> Bool {
    switch selector {
    case .everyPayload: true
    case .label(let label): fragments.has(label, in: payload)
    case .field(let type, let name):
      ([payload] + (payload["incremental"]?.elements.map { $0 } ?? [])).contains { entry in
        ["data", "items"].contains { member in entry[member].map { Self.hasField($0, type, name) } == true }
      }
    }
  }

  /// Whether a value has a field in an object of a type. An object without `__typename`, as that of a fragment, counts for each type.
  private static func hasField(_ value: JSONValue, _ type: String?, _ name: String) -> Bool {
    switch value.kind {
    case .object:
      let typename = value["__typename"]?.string
      let isOfType = type == nil || typename == nil || typename == type
      if isOfType, value[name] != nil { return true }
      return value.members.contains { hasField($0.value, type, name) }
    case .array: return value.elements.contains { hasField($0, type, name) }
    case .string, .number, .bool, .null: return false
    }
  }
}
