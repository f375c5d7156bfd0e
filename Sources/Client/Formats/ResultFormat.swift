import ClientAPI
import JSON

/// The forms in which results are printed for other programs and for people.
package enum ResultFormat: String, Sendable, CaseIterable {
  /// One object, the final merged result; a subscription prints one a line for each event.
  case json
  /// One object a line for every result as it arrives.
  case ndjson
  /// As `json`, over several lines.
  case pretty
  /// The rows of the first list of objects.
  case table
}

extension GraphQLResult where Data == JSONValue {
  /// `{"data":…,"errors":…,"extensions":…}`; what the response does not have is absent.
  package var responseObject: JSONValue {
    var members: [(String, JSONValue)] = []
    if let data { members.append(("data", data)) }
    if !errors.isEmpty { members.append(("errors", .array(errors.map(\.json)))) }
    if let extensions { members.append(("extensions", extensions)) }
    return .object(members)
  }

  /// The object of an `ndjson` line: the result, where it came from, when, and the state of every deferred fragment.
  package var lineObject: JSONValue {
    var members: [(String, JSONValue)] = [
      ("part", JSONValue(part)),
      ("elapsedMs", elapsed.roundedMilliseconds),
      ("response", JSONValue(response.rawValue)),
      ("source", JSONValue(source.rawValue)),
    ]
    if let data { members.append(("data", data)) }
    members.append(("errors", .array(errors.map(\.json))))
    if let extensions { members.append(("extensions", extensions)) }
    members.append(("deferred", .array(fragments.map(\.lineObject))))
    members.append(("changedKeys", .array(changedRecords.map { JSONValue($0) })))
    return .object(members)
  }

  /// The keys of the records that changed, each once, in order.
  private var changedRecords: [String] {
    Set(changedKeys.map { key in key.lastIndex(of: ".").map { String(key[..<$0]) } ?? key }).sorted()
  }
}

extension DeferredFragment {
  fileprivate var lineObject: JSONValue {
    .object([
      ("label", label.map { JSONValue($0) } ?? .null),
      ("path", path.json),
      ("typeCondition", typeCondition.map { JSONValue($0) } ?? .null),
      ("state", JSONValue(state.name)),
      ("errors", .array(state.errors.map(\.json))),
    ])
  }
}

extension Duration {
  /// Milliseconds with two decimals.
  fileprivate var roundedMilliseconds: JSONValue {
    let hundredths = Int((self / .microseconds(10)).rounded())
    let fraction = hundredths % 100
    let text = "\(hundredths / 100)" + (fraction == 0 ? "" : fraction < 10 ? ".0\(fraction)" : ".\(fraction)")
    return JSONNumber(text: text).map { JSONValue($0) } ?? JSONValue(hundredths / 100)
  }
}
