import ApusASCII
import ApusClientAPI
import ApusJSON

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
  /// The same rows, for spreadsheets and other programs.
  case csv, tsv
  /// As `json`, as YAML.
  case yaml

  /// Whether it shows the rows of a list, and not the whole result.
  package var isTable: Bool { [.table, .csv, .tsv].contains(self) }
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
    Set(changedKeys.map(ChangedKey.record(of:))).sorted()
  }
}

/// The two halves of `record.field`, as results tell what changed in the cache.
enum ChangedKey {
  /// The key of the record. Both halves may hold dots: the field begins at the last dot that is followed by a name
  /// alone, or by a name and arguments that are whole JSON.
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
  /// Milliseconds with as many of two decimals as it takes: `12`, `12.3`, `0.04`.
  var roundedMilliseconds: JSONValue {
    let hundredths = Int((self / .microseconds(10)).rounded())
    let (tenth, hundredth) = (hundredths / 10 % 10, hundredths % 10)
    let decimals = hundredth != 0 ? ".\(tenth)\(hundredth)" : tenth != 0 ? ".\(tenth)" : ""
    let whole = hundredths / 100
    return JSONNumber(text: "\(whole)\(decimals)").map { JSONValue($0) } ?? JSONValue(whole)
  }
}
