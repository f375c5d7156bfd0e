import ApusClientAPI
import ApusClientOperation
import ApusJSON

@testable import ApusClientCache

/// Normalizes a response in the simplest way.
///
/// A field that an error made null, or whose value is invalid, has no value. For a keyed object that is written partially,
/// only the fields at the changed paths are written; an object without a key is always written completely.
struct ModelWriter {
  private(set) var records: [String: [String: CacheModel.Value]] = [:]
  private(set) var types: [String: String] = [:]
  /// The schema coordinates of the fields, by record key and field key.
  private(set) var coordinates: [String: String] = [:]
  private(set) var unanswered: [(key: String, field: String)] = []
  private let failed: Set<ResponsePath>
  private let failedFragments: [DeferredFragment]
  private let isPartial: Bool

  private typealias Places = [ArraySlice<PathComponent>]

  init(_ response: ModelResponse, _ plan: SelectionPlan, places: [ResponsePath]?) {
    isPartial = response.isPartial
    failed = Set(response.failedNulls)
    failedFragments = response.failedFragments
    _ = write(
      response.data, at: .root, plan.root, typename: "Query", key: "QUERY_ROOT",
      places: places.map { $0.map { $0.components[...] } })
  }

  private static func nested(_ component: PathComponent, _ places: Places?) -> Places? {
    guard let places, !places.contains(where: \.isEmpty) else { return nil }
    return places.filter { $0.first == component }.map { $0.dropFirst() }
  }

  private mutating func write(
    _ object: JSONValue, at path: ResponsePath, _ node: PlanNode, typename: String, key: String, places: Places?
  ) -> CacheModel.Value {
    let isWhole = key.contains(".") || places?.contains(where: \.isEmpty) ?? true
    var begins = isWhole
    var fields: [(PlanField, JSONValue, Places?)] = []
    for field in node.fields(for: typename).fields {
      guard let member = object[field.responseKey] else { continue }
      let here = Self.nested(.key(field.responseKey), places)
      if !isWhole, here?.isEmpty == true { continue }
      fields.append((field, member, here))
    }
    for (field, member, here) in fields {
      let place = path.appending(.key(field.responseKey))
      let isAnswered = CacheModel.isRight(member, field.type) && !hasFailed(member, at: place)
      let value = write(
        member, at: place, field, field.type, path: "\(key).\(field.argumentsKey)", places: here)
      // The objects in a list with an invalid item are written nevertheless.
      guard isAnswered, let value else {
        unanswered.append((key, field.argumentsKey))
        continue
      }
      begins = true
      records[key, default: [:]][field.argumentsKey] = value
      coordinates["\(key).\(field.argumentsKey)"] = "\(typename).\(field.field.name)"
    }
    if begins {
      records[key, default: [:]].merge([:]) { old, _ in old }
      types[key] = typename
    }
    for fragment in node.fields(for: typename).fragments
    where failedFragments.contains(where: { $0.path == path && $0.fragmentID == fragment.fragment.id }) {
      noteMissing(fragment.node, fragment.usage, in: object, typename, key)
    }
    return .reference(key)
  }

  /// Records the fields that are missing because of a failed fragment.
  private mutating func noteMissing(
    _ node: PlanNode, _ usage: PlanDeferral?, in object: JSONValue, _ typename: String, _ key: String
  ) {
    for field in node.fields(for: typename).fields where FragmentCoverage.isOwn(field, usage: usage) {
      guard let member = object[field.responseKey] else {
        unanswered.append((key, field.argumentsKey))
        continue
      }
      if let child = field.child { noteMissing(child, usage, in: member, path: "\(key).\(field.argumentsKey)") }
    }
  }

  private mutating func noteMissing(_ node: PlanNode, _ usage: PlanDeferral?, in value: JSONValue, path: String) {
    switch value.kind {
    case .array:
      for (index, element) in value.elements.enumerated() {
        noteMissing(node, usage, in: element, path: "\(path).\(index)")
      }
    case .object:
      let typename = value["__typename"]?.string ?? "?"
      // An object of an impossible type is not written.
      guard node.isPossible(typename) else { return }
      noteMissing(node, usage, in: value, typename, Self.key(of: value, typename) ?? path)
    default: break
    }
  }

  private static func key(of object: JSONValue, _ typename: String) -> String? {
    object["id"].flatMap { $0.string ?? $0.numberText }.map { "\(typename):\($0)" }
  }

  /// Returns whether an error explains a null in a value or in its items.
  private func hasFailed(_ value: JSONValue, at path: ResponsePath) -> Bool {
    switch value.kind {
    case .null: failed.contains(path)
    case .array: value.elements.enumerated().contains { hasFailed($0.element, at: path.appending(.index($0.offset))) }
    default: false
    }
  }

  /// Returns the stored value if it is valid for the type. The objects in a list are written even if the list is invalid.
  private mutating func write(
    _ value: JSONValue, at path: ResponsePath, _ field: PlanField, _ type: CompiledType?, path key: String,
    places: Places?
  ) -> CacheModel.Value? {
    guard let child = field.child else {
      guard isPartial, field.stream != nil, value.kind == .array else { return .scalar(value) }
      return .list(value.elements.map { .scalar($0) }, isOpen: true)
    }
    switch (value.kind, type?.nullable) {
    case (.object, _) where CacheModel.isRight(value, type):
      let typename = value["__typename"]?.string ?? "?"
      return write(
        value, at: path, child, typename: typename, key: Self.key(of: value, typename) ?? key, places: places)
    case (.array, .list(let inner)?):
      var items: [CacheModel.Value?] = []
      for (index, element) in value.elements.enumerated() {
        items.append(
          write(
            element, at: path.appending(.index(index)), field, inner, path: "\(key).\(index)",
            places: Self.nested(.index(index), places)))
      }
      return .list(items.compactMap { $0 }, isOpen: isPartial && field.stream != nil)
    case (.null, _): return .scalar(.null)
    default: return nil
    }
  }
}
