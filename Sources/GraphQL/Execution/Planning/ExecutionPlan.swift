import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON

/// A field of the operation, prepared for execution on every object of its parent type.
final class FieldPlan {
  let responseKey: String
  let details: [FieldDetails]
  let name: String
  let parentType: String
  let type: ResolvedOutputType
  let resolver: Resolver
  /// Coerced once, because variables do not change during a request.
  let arguments: Result<JSONValue, ExecutionError>
  let stream: StreamUsage?
  /// The deferrals of the group that this field is executed in; empty in the initial result.
  let deferUsages: [DeferUsage]
  fileprivate var selections: [String: SelectionSetPlan] = [:]

  init(
    responseKey: String, details: [FieldDetails], name: String, parentType: String, type: ResolvedOutputType,
    resolver: Resolver, arguments: Result<JSONValue, ExecutionError>, stream: StreamUsage?, deferUsages: [DeferUsage]
  ) {
    self.responseKey = responseKey
    self.details = details
    self.name = name
    self.parentType = parentType
    self.type = type
    self.resolver = resolver
    self.arguments = arguments
    self.stream = stream
    self.deferUsages = deferUsages
  }

  var nodes: [any SyntaxView] { details.map(\.node) }
}

/// The arguments of `@stream`.
struct StreamUsage {
  var label: String?
  var initialCount: Int
}

/// The fields to execute on an object of one type, and the groups that are delivered later.
final class SelectionSetPlan {
  let objectType: TypeDefinition
  let fields: [FieldPlan]
  let newDeferUsages: [DeferUsage]
  let groups: [PlannedGroup]

  init(objectType: TypeDefinition, fields: [FieldPlan], newDeferUsages: [DeferUsage], groups: [PlannedGroup]) {
    self.objectType = objectType
    self.fields = fields
    self.newDeferUsages = newDeferUsages
    self.groups = groups
  }
}

/// Fields that are executed together because they belong to the same deferred fragments.
struct PlannedGroup {
  var deferUsages: [DeferUsage]
  var selection: SelectionSetPlan
}

/// Creates plans when execution reaches new positions, and caches them for further objects.
struct ExecutionPlanner {
  /// The delivery of a field that several deferred fragments select.
  enum Sharing {
    /// Each fragment delivers its own copy.
    case eachFragmentItsOwn
    /// The field is delivered once, with the outermost of the fragments.
    case deliveredOnce
  }

  let collector: FieldCollector
  let resolvers: Resolvers
  let sharing: Sharing
  let allowsStream: Bool

  func plan(root type: TypeDefinition, _ selectionSet: SelectionSetNode) throws(ExecutionError) -> SelectionSetPlan {
    try plan(collector.fields(of: selectionSet, on: type), on: type, within: [])
  }

  func plan(below field: FieldPlan, on type: TypeDefinition) throws(ExecutionError) -> SelectionSetPlan {
    if let plan = field.selections[type.name] { return plan }
    let collected = try collector.subfields(of: field.details, on: type)
    let plan = try plan(collected, on: type, within: field.deferUsages)
    field.selections[type.name] = plan
    return plan
  }

  /// Divides the fields by their deferrals (BuildExecutionPlan of the draft).
  private func plan(
    _ collected: CollectedFields, on type: TypeDefinition, within parents: [DeferUsage]
  ) throws(ExecutionError) -> SelectionSetPlan {
    var current: [FieldPlan] = []
    var later: [(usages: [DeferUsage], fields: [FieldPlan])] = []
    if sharing == .eachFragmentItsOwn {
      // A fragment with only nested deferred fragments is delivered as an empty one.
      later = collected.newDeferUsages.map { ([$0], []) }
    }
    for (responseKey, details) in collected.groups {
      for part in parts(of: details) {
        guard let field = try field(responseKey, part.details, on: type, under: part.usages) else { continue }
        if part.usages.isSameSet(as: parents) {
          current.append(field)
        } else if let index = later.firstIndex(where: { $0.usages.isSameSet(as: part.usages) }) {
          later[index].fields.append(field)
        } else {
          later.append((part.usages, [field]))
        }
      }
    }
    return SelectionSetPlan(
      objectType: type, fields: current, newDeferUsages: collected.newDeferUsages,
      groups: later.map { group in
        PlannedGroup(
          deferUsages: group.usages,
          selection: SelectionSetPlan(objectType: type, fields: group.fields, newDeferUsages: [], groups: []))
      })
  }

  private func parts(of details: [FieldDetails]) -> [(usages: [DeferUsage], details: [FieldDetails])] {
    switch sharing {
    case .deliveredOnce: return [(outermostUsages(of: details), details)]
    case .eachFragmentItsOwn:
      var parts: [(usages: [DeferUsage], details: [FieldDetails])] = []
      for detail in details {
        let usages = detail.deferUsage.map { [$0] } ?? []
        if let index = parts.firstIndex(where: { $0.usages.isSameSet(as: usages) }) {
          parts[index].details.append(detail)
        } else {
          parts.append((usages, [detail]))
        }
      }
      return parts
    }
  }

  /// Returns the deferrals of a field; empty if it is also selected without deferral, otherwise those without an
  /// ancestor among them.
  private func outermostUsages(of details: [FieldDetails]) -> [DeferUsage] {
    var usages: [DeferUsage] = []
    for detail in details {
      guard let usage = detail.deferUsage else { return [] }
      if !usages.contains(where: { $0 === usage }) { usages.append(usage) }
    }
    return usages.filter { usage in
      var ancestor = usage.parent
      while let current = ancestor {
        if usages.contains(where: { $0 === current }) { return false }
        ancestor = current.parent
      }
      return true
    }
  }

  /// Returns the plan of a field; nil if the type does not have it, which validation reports.
  private func field(
    _ responseKey: String, _ details: [FieldDetails], on type: TypeDefinition, under usages: [DeferUsage]
  ) throws(ExecutionError) -> FieldPlan? {
    guard let first = details.first, let definition = type.field(named: first.node.name.value) else { return nil }
    var stream: StreamUsage?
    let arguments: Result<JSONValue, ExecutionError>
    // Errors of these belong to the field, not to its object.
    do throws(ExecutionError) {
      stream = try streamUsage(of: details)
      arguments = .success(
        try first.coercion.arguments(definition.arguments, given: first.node.arguments, of: first.node))
    } catch {
      arguments = .failure(error)
    }
    return FieldPlan(
      responseKey: responseKey, details: details, name: definition.name, parentType: type.name,
      type: try ResolvedOutputType(definition.type, scalars: collector.coercion.scalars),
      resolver: resolver(of: definition, on: type), arguments: arguments, stream: stream,
      deferUsages: usages)
  }

  private func resolver(of definition: FieldDefinition, on type: TypeDefinition) -> Resolver {
    if let resolver = Introspection.resolver(type.name, definition.name, schema: collector.schema) { return resolver }
    return resolvers.resolver(type.name, definition.name)
  }

  private func streamUsage(of details: [FieldDetails]) throws(ExecutionError) -> StreamUsage? {
    guard allowsStream, let first = details.first,
      let directive = first.node.directives.first(where: { $0.name.value == "stream" }),
      try collector.flag("if", of: directive, otherwise: true, first.coercion)
    else { return nil }
    let count = directive.argument(named: "initialCount").flatMap { first.coercion.untyped($0.value).int } ?? 0
    guard count >= 0 else { throw ExecutionError("initialCount must not be negative.", at: [directive]) }
    return StreamUsage(label: collector.label(of: directive, first.coercion), initialCount: count)
  }
}

extension [DeferUsage] {
  fileprivate func isSameSet(as other: [DeferUsage]) -> Bool {
    count == other.count && allSatisfy { usage in other.contains { $0 === usage } }
  }
}
