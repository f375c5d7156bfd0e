import ApusClientOperation
import ApusJSON

@testable import ApusClientCache

/// A location of objects without keys, with the operation and data that write a value there.
enum PlainScene: String, CaseIterable {
  case belowKey, connection, root, inElement, insideRoot

  /// The list scenes.
  case rootList, keyedList, edges

  static let objects: [PlainScene] = [.belowKey, .connection, .root, .inElement, .insideRoot]
  static let lists: [PlainScene] = [.rootList, .keyedList, .edges]

  /// Returns the root fields of a response with the value at this location.
  func fields(_ value: PlainValue) -> [String: PlainValue] {
    switch self {
    case .root: ["r": value]
    case .insideRoot: ["r": .object(PlainObject(type: "R", fields: ["in": value]))]
    case .connection: ["c": Self.connection(value)]
    case .rootList: ["l": value]
    case .edges: ["c": .object(PlainObject(type: "C", fields: ["edges": value]))]
    case .inElement:
      ["l": .list([.object(PlainObject(type: "E", fields: ["node": .key("N:1"), "in": value]))])]
    case .belowKey, .keyedList: ["k": .key("K:1")]
    }
  }

  private static func connection(_ value: PlainValue) -> PlainValue {
    guard case .object(var object) = value else { return value }
    object.fields["edges"] = .list([])
    return .object(object)
  }

  /// The fields of the keyed record, if the value is below one.
  func keyedFields(_ value: PlainValue) -> [String: PlainValue] {
    switch self {
    case .belowKey: ["o": value]
    case .keyedList: ["l": value]
    case .root, .insideRoot, .connection, .rootList, .edges, .inElement: [:]
    }
  }

  func write(_ value: PlainValue, to model: inout PlainCache, _ write: PlainWrite) {
    model.write(fields(value), to: "QUERY_ROOT", type: "Query", write)
    let keyed = keyedFields(value)
    if !keyed.isEmpty {
      model.write(keyed.merging(["id": .number(1)]) { old, _ in old }, to: "K:1", type: "K", write)
    }
    Self.nodes(in: value, &model)
    if self == .inElement { model.write(["id": .number(1)], to: "N:1", type: "N", write) }
  }

  private static func nodes(in value: PlainValue, _ model: inout PlainCache) {
    switch value {
    case .key(let key): model.write(["id": .number(Int(key.dropFirst(2)) ?? 0)], to: key, type: "N", .response)
    case .object(let object): for value in object.fields.values { nodes(in: value, &model) }
    case .list(let items): for item in items { nodes(in: item, &model) }
    case .null, .number: break
    }
  }

  // MARK: Requests

  /// Returns the operation and the data of a response with the value.
  func response(_ value: PlainValue) throws -> (CompiledOperation, JSONValue) {
    var root = fields(value)
    if !keyedFields(value).isEmpty {
      root = ["k": .object(PlainObject(type: "K", fields: keyedFields(value).merging(["id": .number(1)]) { $1 }))]
    }
    let members = root.sorted { $0.key < $1.key }
    let text = members.map { "\($0.key)\(Self.selection(of: [$0.value]))" }.joined(separator: " ")
    let operation = try PlainOperations.operation("{ \(text) }")
    return (operation, .object(members.map { ($0.key, Self.json($0.value)) }))
  }

  /// Returns the selection set for values of one field.
  private static func selection(of values: [PlainValue]) -> String {
    var names: Set<String> = []
    var children: [String: [PlainValue]] = [:]
    func collect(_ value: PlainValue) {
      switch value {
      case .object(let object):
        names.insert("__typename")
        for (name, value) in object.fields {
          names.insert(name)
          children[name, default: []].append(value)
        }
      case .key: names.formUnion(["__typename", "id"])
      case .list(let items):
        names.insert("__typename")
        items.forEach(collect)
      case .null, .number: break
      }
    }
    values.forEach(collect)
    if names.isEmpty { return "" }
    let fields = names.sorted().map { "\($0)\(selection(of: children[$0] ?? []))" }
    return " { \(fields.joined(separator: " ")) }"
  }

  private static func json(_ value: PlainValue) -> JSONValue {
    switch value {
    case .null: return .null
    case .number(let number): return JSONValue(number)
    case .key(let key):
      return .object([("__typename", JSONValue(String(key.prefix(1)))), ("id", JSONValue(Int(key.dropFirst(2)) ?? 0))])
    case .object(let object):
      let type = object.type.map { [("__typename", JSONValue($0))] } ?? []
      return .object(type + object.fields.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })
    case .list(let items): return .array(items.map(json))
    }
  }
}

/// The operations of the comparison, compiled once for each text.
enum PlainOperations {
  private static let cache = OperationMemo()

  static func operation(_ text: String) throws -> CompiledOperation { try cache.operation(text) }
}
