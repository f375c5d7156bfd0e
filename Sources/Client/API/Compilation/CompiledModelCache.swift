import ApusClientOperation
import Synchronization

/// A cache of compiled models. The selections of a type never change, so each model is compiled once per process.
package enum CompiledModelCache {
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

  /// Compiles the selections of a named fragment, for reading and writing records.
  package static func fragment<Model: Fragment>(_ type: Model.Type) -> CompiledOperation {
    operation(ObjectIdentifier(type)) {
      ModelCompiler.compile(
        type, type: .query, name: type.fragmentName, text: type.fragmentDefinition, identifier: nil, defaults: [:])
    }
  }

  private static func operation(_ id: ObjectIdentifier, _ make: () -> CompiledOperation) -> CompiledOperation {
    if let operation = tables.withLock({ $0.operations[id] }) { return operation }
    // Two threads may compile the same operation. The first result is kept, because operations are compared by
    // identity.
    let made = make()
    return tables.withLock { tables in
      if let operation = tables.operations[id] { return operation }
      tables.operations[id] = made
      return made
    }
  }

  /// Compiles the selections of a model regardless of conditions, for objects that do not come from an operation.
  static func node(_ model: any SelectionSet.Type) -> PlanNode {
    node(model, in: \.nodes) { ModelCompiler.node(of: model) }
  }

  /// Compiles the selections of a model without conditional ones. An object must have these fields.
  static func required(_ model: any SelectionSet.Type) -> PlanNode {
    node(model, in: \.required) { ModelCompiler.required(of: model) }
  }

  private static func node(
    _ model: any SelectionSet.Type, in nodes: WritableKeyPath<Tables, [ObjectIdentifier: PlanNode]>,
    _ make: () -> PlanNode
  ) -> PlanNode {
    let id = ObjectIdentifier(model)
    if let node = tables.withLock({ $0[keyPath: nodes][id] }) { return node }
    let made = make()
    return tables.withLock { tables in
      if let node = tables[keyPath: nodes][id] { return node }
      tables[keyPath: nodes][id] = made
      return made
    }
  }
}
