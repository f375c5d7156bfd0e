import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON

/// Resolves all fields of a mock API.
struct MockResolver: Sendable {
  let schema: Schema
  let seed: UInt64
  let pace: Pace
  let rules: MockRuleBook
  let memory = MockStore()

  /// The number of objects of a type with an `id`.
  static let population = 200

  // MARK: Fields

  /// Resolves a field with the delay of its rule, or with a delay for objects and list items.
  func resolveSlowly(_ context: FieldContext) async throws -> ResolvedValue {
    if let delay = rules.rule(context.parentType, context.fieldName)?.delay {
      try await pace.wait(milliseconds: delay)
      return try resolve(context)
    }
    let value = try resolve(context)
    var draw = MockDraw(seed, "pace", context.parentType, context.fieldName, context.arguments.description)
    switch value {
    case .object: try await pace.wait(milliseconds: 5 + draw.below(60))
    case .list(let items) where items.contains(where: \.isObject):
      return pace.list(items, milliseconds: 15 + draw.below(30)) { $0 }
    case .null, .leaf, .list, .sequence, .failure: break
    }
    return value
  }

  func resolve(_ context: FieldContext) throws -> ResolvedValue {
    guard let parent = schema.type(named: context.parentType),
      let field = parent.field(named: context.fieldName)
    else { throw ExecutionError("\(context.parentType).\(context.fieldName) is not in the schema.") }
    let object = context.source as? MockObject ?? MockObject(type: parent.name, key: "")
    let isRoot = [schema.queryType, schema.mutationType, schema.subscriptionType].contains(parent)
    let request = FieldRequest(
      object: object, field: field, arguments: context.arguments, isRoot: isRoot,
      rule: rules.rule(parent.name, field.name))
    if let value = try ruledValue(request) { return value }
    if parent == schema.mutationType { return MockMutation(world: self, field: field, input: context.arguments).value }
    if let stored = memory.value(of: field.name, in: object) { return value(stored, of: field.type, request) }
    if let value = try pageValue(request) { return value }
    if let value = subgraphValue(request) { return value }
    return try value(of: field.type, request, place: "")
  }

  struct FieldRequest {
    let object: MockObject
    let field: FieldDefinition
    let arguments: JSONValue
    let isRoot: Bool
    let rule: MockRules.Rule?

    /// The key for the values: equal for the same object, field and arguments, ignoring paging.
    var key: String {
      let selecting = arguments.members.filter {
        !["first", "last", "after", "before", "limit", "offset"].contains($0.0)
      }
      let text = selecting.isEmpty ? "" : "(\(selecting.map { "\($0.0):\($0.1)" }.joined(separator: ",")))"
      return object.key + "." + field.name + text
    }
  }

  private func draw(_ request: FieldRequest, _ place: String = "") -> MockDraw {
    MockDraw(seed, request.object.type, request.key, place)
  }

  private func value(of type: TypeReference, _ request: FieldRequest, place: String) throws -> ResolvedValue {
    if type.isNonNull { return try value(of: type.nullable, request, place: place) }
    if let element = type.elementType { return try list(of: element, request, place: place) }
    guard let definition = type.definition else { return .null }
    var draw = draw(request, place)
    // A few values are null, but not at the root, where this would be confusing.
    let isOften = definition.isLeaf ? 12 : 15
    if !request.isRoot, !definition.isConnection, place.isEmpty, request.rule?.nulls == nil,
      draw.below(isOften) == 0, isNullable(request.field)
    {
      return .null
    }
    switch definition.kind {
    case .scalar:
      return .leaf(MockText.value(of: definition, named: request.field.name, on: request.object, seed: seed, place))
    case .enum:
      let values = definition.enumValues
      let current = values.filter { !$0.isDeprecated }
      return values.isEmpty ? .null : .string(draw.pick(current.isEmpty ? values : current).name)
    case .object, .interface, .union: return try object(of: definition, request, place: place)
    case .inputObject: return .null
    }
  }

  private func isNullable(_ field: FieldDefinition) -> Bool { !field.type.isNonNull }

  // MARK: Lists

  private func list(of element: TypeReference, _ request: FieldRequest, place: String) throws -> ResolvedValue {
    // `nodes(ids: […])` returns one object per id.
    if place.isEmpty, let ids = request.arguments["ids"], ids.kind == .array, element.definition?.isComposite == true {
      return .list(ids.elements.map { node($0.string ?? "", of: element) })
    }
    var draw = draw(request, "count")
    let drawn = request.isRoot ? 4 + draw.below(6) : draw.below(5)
    let ruled = place.isEmpty ? request.rule?.length : nil
    var count = ruled ?? drawn
    for name in ["first", "last", "limit", "take", "count", "size", "perPage", "pageSize"] {
      if let wanted = request.arguments[name]?.int { count = max(0, min(wanted, ruled ?? MockPage.longest)) }
    }
    return .list(
      try (0..<count).map { index in try value(of: element, request, place: "\(place)[\(index)]") })
  }

  // MARK: Objects

  private func object(
    of definition: TypeDefinition, _ request: FieldRequest, place: String
  ) throws -> ResolvedValue {
    if definition.isConnection {
      var draw = draw(request, "total")
      let drawn = draw.below(MockPage.longest) + (request.isRoot ? 5 : 0)
      let page = try MockPage(
        list: request.key, total: request.rule?.length ?? drawn, arguments: request.arguments)
      return .object(MockObject(type: definition.name, key: request.key, page: page))
    }
    if let id = request.arguments["id"]?.string, place.isEmpty { return node(id, of: request.field.type) }
    let object = drawn(of: definition, request.key, place)
    // An object selected by an argument has that value in the field of the same name.
    if place.isEmpty, request.arguments.kind == .object, let type = schema.type(named: object.type) {
      memory.remember(leafValues(request.arguments, of: type), of: object)
    }
    return resolved(object)
  }

  /// Returns an object for a position: one of the population if its type has an `id`, else a separate one.
  func drawn(of definition: TypeDefinition, _ key: String, _ place: String, index: Int = 0) -> MockObject {
    var draw = MockDraw(seed, "object", definition.name, key, place)
    var type = definition
    if definition.isAbstract {
      var choice = MockDraw(seed, "type", definition.name, key, place, String(index))
      let possible = definition.possibleTypes
      guard !possible.isEmpty else { return MockObject(type: definition.name, key: key) }
      type = choice.pick(possible)
    }
    // The items of a list are consecutive, so that none is repeated.
    guard type.field(named: "id") != nil else {
      return MockObject(type: type.name, key: index == 0 ? key + place : "\(key)\(place)/\(index)")
    }
    return MockObject(
      type: type.name, key: "\(type.name)_\((draw.below(Self.population) + index) % Self.population + 1)")
  }

  func resolved(_ object: MockObject) -> ResolvedValue { .object(object, type: object.type) }

  /// Returns the object with an id. Ids of this API contain the type (`User_12`); others are used unchanged.
  func node(_ id: String, of type: TypeReference) -> ResolvedValue {
    guard let wanted = type.definition else { return .null }
    if let end = id.lastIndex(of: "_"), let named = schema.type(named: String(id[..<end])), named.kind == .object {
      guard schema.overlaps(named, wanted) else { return .null }
      return resolved(MockObject(type: named.name, key: id))
    }
    var draw = MockDraw(seed, "node", id)
    let possible = wanted.possibleTypes
    guard !id.isEmpty, !possible.isEmpty else { return .null }
    return resolved(MockObject(type: draw.pick(possible).name, key: id))
  }

  /// Returns the arguments or input fields that are also leaf fields of a type.
  func leafValues(_ input: JSONValue, of type: TypeDefinition) -> [(String, JSONValue)] {
    input.members.filter { name, value in
      guard !value.isNull, name != "id", let field = type.field(named: name) else { return false }
      guard let leaf = field.type.definition, leaf.isLeaf else { return false }
      switch (leaf.name, value.kind) {
      case ("Int", .number), ("Float", .number), ("Boolean", .bool), ("String", .string), ("ID", .string): break
      case ("Int", _), ("Float", _), ("Boolean", _), ("String", _), ("ID", _): return false
      default: if leaf.kind == .enum, leaf.enumValue(named: value.string ?? "") == nil { return false }
      }
      return field.type.isList == (value.kind == .array)
    }.map { ($0.0, $0.1) }
  }

  /// Converts a stored value to the field's type.
  private func value(_ stored: JSONValue, of type: TypeReference, _ request: FieldRequest) -> ResolvedValue {
    guard type.definition?.isComposite == true, let id = stored.string else { return ResolvedValue(json: stored) }
    return node(id, of: type)
  }

  // MARK: Connections

  /// Returns the value of a field of a connection, edge or page info; nil for other fields.
  private func pageValue(_ request: FieldRequest) throws -> ResolvedValue? {
    guard let page = request.object.page else { return nil }
    let type = request.field.type.nullable
    let element = (type.elementType ?? type).definition
    switch request.field.name {
    case "edges" where type.isList:
      guard let edge = element else { return nil }
      return .list(
        page.range.map { index in
          var on = page
          on.index = index
          return resolved(MockObject(type: edge.name, key: "\(page.list)/edge\(index)", page: on))
        })
    case "nodes" where type.isList:
      guard let node = element else { return nil }
      return .list(page.range.map { item($0, of: node, on: page) })
    case "node" where page.index != nil:
      guard let node = element, let index = page.index else { return nil }
      return item(index, of: node, on: page)
    case "cursor": return page.index.map { .string(MockPage.cursor($0)) }
    case "pageInfo":
      return element.map { resolved(MockObject(type: $0.name, key: page.list + "/page", page: page)) }
    case "hasNextPage": return .bool(page.range.upperBound < page.total)
    case "hasPreviousPage": return .bool(page.range.lowerBound > 0)
    case "startCursor": return page.range.first.map { .string(MockPage.cursor($0)) } ?? .null
    case "endCursor": return page.range.last.map { .string(MockPage.cursor($0)) } ?? .null
    case "totalCount", "totalPageCount", "count", "total": return element?.name == "Int" ? .int(page.total) : nil
    default: return nil
    }
  }

  private func item(_ index: Int, of type: TypeDefinition, on page: MockPage) -> ResolvedValue {
    guard type.isComposite else {
      return .leaf(
        MockText.value(of: type, named: "node", on: MockObject(type: "", key: page.list), seed: seed, "\(index)"))
    }
    return resolved(drawn(of: type, page.list, "", index: index))
  }

  // MARK: Subscriptions

  /// Returns one event per second, each with another object.
  func events(_ context: FieldContext) throws -> AsyncThrowingStream<ResolvedValue, any Error> {
    guard let field = schema.subscriptionType?.field(named: context.fieldName) else {
      throw ExecutionError("There is no subscription \"\(context.fieldName)\".")
    }
    let arguments = context.arguments
    let rule = rules.rule(context.parentType, field.name)
    if let error = rule?.error { throw ExecutionError(error) }
    let interval = rule?.delay ?? 1000
    return AsyncThrowingStream { continuation in
      let task = Task {
        var number = 0
        while !Task.isCancelled {
          let object = MockObject(type: context.parentType, key: "event\(number)")
          let request = FieldRequest(
            object: object, field: field, arguments: arguments, isRoot: true,
            rule: rules.rule(context.parentType, field.name))
          do {
            continuation.yield(try ruledValue(request) ?? value(of: field.type, request, place: ""))
            try await Task.sleep(for: .milliseconds(max(10, Double(interval) * pace.scale)))
          } catch {
            break
          }
          number += 1
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension ResolvedValue {
  fileprivate var isObject: Bool {
    if case .object = self { true } else { false }
  }
}
