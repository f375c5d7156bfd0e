import ApusJSON

/// Removes fragments from the payloads of a response, in both incremental formats.
///
/// | entry | dropped | failed |
/// |---|---|---|
/// | `incremental` with the label (2022 format) | removed | `data` or `items` null, with an error |
/// | `incremental` with an id of the label (v0.2 format) | removed | removed |
/// | `completed` with such an id | removed | with an error in place of other members |
/// | a payload that has nothing else | removed, or only its `hasNext: false` is left | – |
struct FragmentEdit: Sendable {
  /// The labels of pending fragments and streams, by id.
  private var labels: [String: String] = [:]

  /// Notes the fragments that a payload announces.
  mutating func read(_ payload: JSONValue) {
    for entry in payload["pending"]?.elements.map({ $0 }) ?? [] {
      if let id = entry["id"]?.string, let label = entry["label"]?.string { labels[id] = label }
    }
  }

  /// Whether a payload has data or the end of a fragment.
  func has(_ label: String, in payload: JSONValue) -> Bool {
    payload["label"]?.string == label
      || ["incremental", "completed"].contains { name in
        payload[name]?.kind == .array && payload[name]?.elements.contains { isOf($0, label) } == true
      }
  }

  private func isOf(_ entry: JSONValue, _ label: String) -> Bool {
    entry["label"]?.string == label || entry["id"]?.string.map { labels[$0] == label } == true
  }

  /// Returns a payload without the data of a fragment; `nil` if nothing is left of it.
  ///
  /// - Parameter error: The message of the error with which the fragment fails; `nil` if it never arrives.
  func edited(_ payload: JSONValue, label: String, error: String?) -> JSONValue? {
    let errors = error.map { JSONValue.array([.object([("message", JSONValue("apus tap: \($0)"))])]) }
    // A payload may be an entry itself.
    if payload["label"]?.string == label {
      if let errors { return Self.failed(payload, errors) }
      return payload["hasNext"]?.bool == false ? .object([("hasNext", false)]) : nil
    }
    var members: [(String, JSONValue)] = []
    for (name, value) in payload.members {
      guard name == "incremental" || name == "completed", value.kind == .array else {
        members.append((name, value))
        continue
      }
      let entries = value.elements.compactMap { entry -> JSONValue? in
        guard isOf(entry, label) else { return entry }
        return errors.flatMap { name == "completed" ? Self.failed(completion: entry, $0) : Self.failed(entry, $0) }
      }
      if !entries.isEmpty { members.append((name, .array(entries))) }
    }
    let isOnlyAnEnd = members.allSatisfy { $0.0 == "hasNext" || $0.0 == "extensions" }
    let isLast = members.contains { $0.0 == "hasNext" && $0.1.bool == false }
    return isOnlyAnEnd && !isLast ? nil : .object(members)
  }

  private static func failed(completion entry: JSONValue, _ errors: JSONValue) -> JSONValue {
    .object([("id", entry["id"] ?? .null), ("errors", errors)])
  }

  /// Returns an entry of the 2022 format with errors; `nil` for one of the v0.2 format, whose completion has them.
  private static func failed(_ entry: JSONValue, _ errors: JSONValue) -> JSONValue? {
    guard entry["id"] == nil else { return nil }
    let kept = entry.members.filter { !["data", "items", "errors"].contains($0.key) }.map { ($0.key, $0.value) }
    return .object(kept + [(entry["items"] == nil ? "data" : "items", .null), ("errors", errors)])
  }
}
