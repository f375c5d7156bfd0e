import ApusClientOperation
import Synchronization

/// The compiled forms of generated models. What a type selects never changes, so that each is made once in a program's
/// life; nothing else is kept here.
package enum LoweredModels {
  private struct Tables {
    var operations: [ObjectIdentifier: CompiledOperation] = [:]
    var nodes: [ObjectIdentifier: PlanNode] = [:]
    var required: [ObjectIdentifier: PlanNode] = [:]
  }

  private static let tables = Mutex(Tables())

  package static func operation<Operation: GeneratedOperation>(_ type: Operation.Type) -> CompiledOperation {
    operation(ObjectIdentifier(type)) {
      ModelCompiler.compile(
        Operation.Data.self, type: Operation.operationType, name: Operation.operationName,
        text: Operation.operationDocument.definition.text, identifier: Operation.operationDocument.operationIdentifier,
        defaults: Operation.__variableDefaults)
    }
  }

  package static func operation<Mutation: LocalCacheMutation>(_ type: Mutation.Type) -> CompiledOperation {
    operation(ObjectIdentifier(type)) {
      ModelCompiler.compile(
        Mutation.Data.self, type: Mutation.operationType, name: nil, text: "", identifier: nil,
        defaults: Mutation.__variableDefaults)
    }
  }

  /// A named fragment by itself, to be read from or written into a record.
  package static func fragment<Model: Fragment>(_ type: Model.Type) -> CompiledOperation {
    operation(ObjectIdentifier(type)) {
      ModelCompiler.compile(
        type, type: .query, name: type.fragmentName, text: type.fragmentDefinition, identifier: nil, defaults: [:])
    }
  }

  private static func operation(_ id: ObjectIdentifier, _ make: () -> CompiledOperation) -> CompiledOperation {
    if let known = tables.withLock({ $0.operations[id] }) { return known }
    // Two at once may both make it; one is kept, since an operation is known by its identity.
    let made = make()
    return tables.withLock { tables in
      if let known = tables.operations[id] { return known }
      tables.operations[id] = made
      return made
    }
  }

  /// What a model selects by itself, whatever the conditions: for objects that no operation brought.
  static func node(_ model: any SelectionSet.Type) -> PlanNode {
    node(model, in: \.nodes) { ModelCompiler.node(of: model) }
  }

  /// What must be there of a model: its own selections that stand under no condition.
  static func required(_ model: any SelectionSet.Type) -> PlanNode {
    node(model, in: \.required) { ModelCompiler.required(of: model) }
  }

  private static func node(
    _ model: any SelectionSet.Type, in nodes: WritableKeyPath<Tables, [ObjectIdentifier: PlanNode]>,
    _ make: () -> PlanNode
  ) -> PlanNode {
    let id = ObjectIdentifier(model)
    if let known = tables.withLock({ $0[keyPath: nodes][id] }) { return known }
    let made = make()
    return tables.withLock { tables in
      if let known = tables[keyPath: nodes][id] { return known }
      tables[keyPath: nodes][id] = made
      return made
    }
  }
}
