import JSON

/// One change of a model check, as it is made to the cache and to its model.
indirect enum ModelStep: CustomStringConvertible {
  case pass(seconds: UInt32)
  case write(ModelResponse)
  case evict(String)
  case evictCascading(String)
  case evictField(String, field: String)
  case evictPattern(String)
  case evictType(String)
  /// A value of `nil` takes the field away.
  case modify(String, field: String, JSONValue?)
  case clear
  /// With operations, the roots keep no more than what those read.
  case collect(retaining: [Int]?)
  case trim(to: Int, keeping: [Int])
  case layOver(ModelResponse)
  case layModification(String, field: String, JSONValue)
  /// The layer at this place, the oldest first.
  case rollBack(Int)
  case transaction([ModelStep])
  /// Made by another who has the same file open.
  case byAnother(ModelStep)

  var description: String {
    switch self {
    case .pass(let seconds): "\(seconds) s pass"
    case .write(let response): "write \(response)"
    case .evict(let key): "evict \(key)"
    case .evictCascading(let key): "evict \(key) cascading"
    case .evictField(let key, let field): "evict \(key) \(field)"
    case .evictPattern(let pattern): "evict what is called \(pattern)"
    case .evictType(let type): "evict every \(type)"
    case .modify(let key, let field, let value): "set \(key) \(field) to \(value?.description ?? "nothing")"
    case .clear: "clear"
    case .collect(let operations): "collect\(operations.map { ", retaining \($0)" } ?? "")"
    case .trim(let bytes, let kept): "trim to \(bytes), keeping \(kept)"
    case .layOver(let response): "lay over it \(response)"
    case .layModification(let key, let field, let value): "lay over it \(key) \(field) = \(value)"
    case .rollBack(let place): "roll back layer \(place)"
    case .transaction(let steps): "at once: \(steps.map(\.description).joined(separator: "; "))"
    case .byAnother(let step): "by another: \(step)"
    }
  }
}

/// A response of one of the operations, or a part of it.
struct ModelResponse: CustomStringConvertible {
  let operation: Int
  let data: JSONValue
  var isPartial = false
  /// Where it changed since it was written last.
  var places: [ResponsePath]?

  var description: String {
    let places = places.map { " at [\($0.map { "'\($0)'" }.joined(separator: ", "))]" } ?? ""
    return "\(operation)\(isPartial ? " in part" : "")\(places) \(data)"
  }
}

/// A step, and what is looked at around it.
struct ModelMove {
  let step: ModelStep
  /// The operation that is read before and after it.
  var look: Look?
  /// Whether every field is compared.
  var isThorough = false

  struct Look {
    let operation: Int
    let allowsStale: Bool
  }
}
