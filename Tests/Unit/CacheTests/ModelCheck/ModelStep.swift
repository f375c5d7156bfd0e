import ApusClientAPI
import ApusJSON

/// A change of a model check, which is applied to the cache and to its model.
indirect enum ModelStep: CustomStringConvertible {
  case pass(seconds: UInt32)
  case write(ModelResponse)
  case evict(String)
  case evictCascading(String)
  case evictField(String, field: String)
  case evictPattern(String)
  case evictType(String)
  /// A value of `nil` removes the field.
  case modify(String, field: String, JSONValue?)
  /// Changes one of the values that an operation reads, if its data is complete.
  case update(operation: Int, place: Int, JSONValue)
  case clear
  /// With operations, root fields that they do not read are removed.
  case collect(retaining: [Int]?)
  case trim(to: Int, keeping: [Int])
  case layOver(ModelResponse)
  case layModification(String, field: String, JSONValue)
  /// The layer at this index, oldest first.
  case rollBack(Int)
  case transaction([ModelStep])
  /// A change made by another store on the same file.
  case byAnother(ModelStep)
  /// Concurrent changes of different fields, followed by another change.
  case together([ModelStep], then: ModelStep)

  var description: String {
    switch self {
    case .pass(let seconds): "\(seconds) s pass"
    case .write(let response): "write \(response)"
    case .evict(let key): "evict \(key)"
    case .evictCascading(let key): "evict \(key) cascading"
    case .evictField(let key, let field): "evict \(key) \(field)"
    case .evictPattern(let pattern): "evict keys matching \(pattern)"
    case .evictType(let type): "evict every \(type)"
    case .modify(let key, let field, let value): "set \(key) \(field) to \(value?.description ?? "nothing")"
    case .update(let operation, let place, let value): "update \(operation), value \(place), to \(value)"
    case .clear: "clear"
    case .collect(let operations): "collect\(operations.map { ", retaining \($0)" } ?? "")"
    case .trim(let bytes, let saved): "trim to \(bytes), keeping \(saved)"
    case .layOver(let response): "write optimistically \(response)"
    case .layModification(let key, let field, let value): "set optimistically \(key) \(field) = \(value)"
    case .rollBack(let place): "roll back layer \(place)"
    case .transaction(let steps): "transaction: \(steps.map(\.description).joined(separator: "; "))"
    case .byAnother(let step): "by another process: \(step)"
    case .together(let steps, let last): "parallel: \(steps.map(\.description).joined(separator: "; ")), then \(last)"
    }
  }
}

/// A response of an operation, or a payload of it.
struct ModelResponse: CustomStringConvertible {
  let operation: Int
  let data: JSONValue
  var isPartial = false
  /// The paths that changed since the previous write.
  var places: [ResponsePath]?
  /// The paths of the nulls that server errors explain.
  var errors: [ResponsePath] = []
  /// The path of an error that leads to no null, so that it may explain any of them.
  var vaguePath: ResponsePath??

  /// The deferred fragments that failed.
  var failedFragments: [DeferredFragment] = []

  /// The nulls that errors may explain.
  var failedNulls: [ResponsePath] { vaguePath == nil ? errors : Self.nulls(in: data, []).map { ResponsePath($0) } }

  /// Returns the paths of all nulls in a value.
  static func nulls(in value: JSONValue, _ path: [PathComponent]) -> [[PathComponent]] {
    switch value.kind {
    case .null: [path]
    case .object: value.members.flatMap { nulls(in: $0.value, path + [.key($0.key)]) }
    case .array: value.elements.enumerated().flatMap { nulls(in: $0.element, path + [.index($0.offset)]) }
    default: []
    }
  }

  var description: String {
    func text(_ paths: [ResponsePath]) -> String { "[\(paths.map { "'\($0)'" }.joined(separator: ", "))]" }
    let places = places.map { " at \(text($0))" } ?? ""
    let errors = errors.isEmpty ? "" : ", errors at \(text(errors))"
    let vague = vaguePath.map { ", an error at \($0.map { "'\($0)'" } ?? "no path")" } ?? ""
    let failed = failedFragments.map { ", failed \($0.label ?? "") at '\($0.path)'" }.joined()
    return "\(operation)\(isPartial ? " in part" : "")\(places)\(errors)\(vague)\(failed) \(data)"
  }
}

/// A step, with the comparisons before and after it.
struct ModelMove {
  let step: ModelStep
  /// The operation that is read before and after the step.
  var look: Look?
  /// Whether all fields are compared.
  var isThorough = false

  struct Look {
    let operation: Int
    let allowsStale: Bool
  }
}

/// The updates of values in a response.
enum ModelUpdate {
  /// Returns the data with a new value for one of its leaves, or `nil` if it has none.
  static func make(_ data: JSONValue, place: Int, _ value: JSONValue) -> (data: JSONValue, path: ResponsePath)? {
    let leaves = leaves(of: data, [])
    guard !leaves.isEmpty else { return nil }
    let path = ResponsePath(leaves[place % leaves.count])
    return (try? data.replacing(at: path, with: value)).map { ($0, path) }
  }

  private static func leaves(of value: JSONValue, _ path: [PathComponent]) -> [[PathComponent]] {
    value.members.flatMap { member -> [[PathComponent]] in
      if member.key == "__typename" || member.key == "id" { return [] }
      let place = path + [.key(member.key)]
      switch member.value.kind {
      case .object where member.value["__typename"] != nil: return leaves(of: member.value, place)
      case .array where member.value.elements.contains(where: { $0.kind == .object || $0.kind == .array }):
        return member.value.elements.enumerated().flatMap { leaves(of: $0.element, place + [.index($0.offset)]) }
      default: return [place]
      }
    }
  }
}
