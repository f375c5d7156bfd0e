import ApusASCII
import ApusClientAPI
import ApusJSON

/// An output format for results.
package enum ResultFormat: String, Sendable, CaseIterable {
  /// One object with the final merged result; for subscriptions, one object per line for each event.
  case json
  /// One object per line for each result as it arrives.
  case ndjson
  /// Like `json`, indented.
  case pretty
  /// The rows of the first list of objects, as an aligned table.
  case table
  /// The rows of `table`, separated by commas or tabs.
  case csv, tsv
  /// Like `json`, as YAML.
  case yaml

  /// Whether the format shows the rows of a list instead of the complete result.
  package var isTable: Bool {
    switch self {
    case .table, .csv, .tsv: true
    case .json, .ndjson, .pretty, .yaml: false
    }
  }
}

extension GraphQLResult where Data == JSONValue {
  /// The response object `{"data":…,"errors":…,"extensions":…}`. Members that the response does not have are absent.
  package var responseObject: JSONValue {
    var members: [(String, JSONValue)] = []
    if let data { members.append(("data", data)) }
    if !errors.isEmpty { members.append(("errors", .array(errors.map(\.json)))) }
    if let extensions { members.append(("extensions", extensions)) }
    return .object(members)
  }

  /// The object of an `ndjson` line, `{"part":0,"elapsedMs":12.3,"response":"partial","source":"server","data":{…},…}`:
  /// the result with its source and time, and the states of all deferred fragments.
  package var lineObject: JSONValue {
    var members: [(String, JSONValue)] = [
      ("part", JSONValue(payloadIndex)),
      ("elapsedMs", elapsed.roundedMilliseconds),
      ("response", JSONValue(completeness.rawValue)),
      ("source", JSONValue(source.rawValue)),
    ]
    if let data { members.append(("data", data)) }
    members.append(("errors", .array(errors.map(\.json))))
    if let extensions { members.append(("extensions", extensions)) }
    members.append(("deferred", .array(fragments.map(\.lineObject))))
    members.append(("changedKeys", .array(changedRecords.map { JSONValue($0) })))
    return .object(members)
  }

  /// The sorted keys of the changed records, without duplicates.
  private var changedRecords: [String] {
    Set(changedKeys.map(ChangedKey.record(of:))).sorted()
  }
}

/// Changed keys in the form `record.field`: `Bird:b42.name`, `QUERY_ROOT.birds({"first":10})`.
enum ChangedKey {
  /// Returns the record's key. Both parts can contain dots: the field starts after the last dot that is followed only
  /// by a name, or by a name and arguments that are valid JSON.
  static func record(of changedKey: String) -> String {
    let bytes = Array(changedKey.utf8)
    let hasArguments = bytes.last == UInt8(ascii: ")")
    var end = bytes.endIndex
    while let dot = bytes[..<end].lastIndex(of: UInt8(ascii: ".")) {
      let field = bytes[(dot + 1)...]
      if !hasArguments || isNameWithArguments(field) { return String(decoding: bytes[..<dot], as: UTF8.self) }
      end = dot
    }
    return changedKey
  }

  private static func isNameWithArguments(_ field: ArraySlice<UInt8>) -> Bool {
    guard let open = field.firstIndex(of: UInt8(ascii: "(")), open > field.startIndex else { return false }
    guard field[..<open].allSatisfy(\.isNameByte) else { return false }
    return (try? JSONDocument(parsing: field[(open + 1)..<(field.endIndex - 1)])) != nil
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
  /// The duration in milliseconds, rounded to at most two decimals: `12`, `12.3`, `0.04`.
  package var roundedMilliseconds: JSONValue {
    let hundredths = Int((self / .microseconds(10)).rounded())
    let (tenth, hundredth) = (hundredths / 10 % 10, hundredths % 10)
    let decimals = hundredth != 0 ? ".\(tenth)\(hundredth)" : tenth != 0 ? ".\(tenth)" : ""
    let integer = hundredths / 100
    return JSONNumber(text: "\(integer)\(decimals)").map { JSONValue($0) } ?? JSONValue(integer)
  }
}
