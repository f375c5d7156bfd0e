import ApusClientOperation
import ApusClientAPI
import ApusJSON

/// The fields of a type inside the closure of a selection: one method per field, generated in extensions.
///
/// Names that begin with `__` are for generated code; the schema's fields cannot have such names.
public final class Fields<Scope> {
  let place: SelectionContext

  init(_ place: SelectionContext) {
    self.place = place
  }
}

extension Fields where Scope: TypeScope {
  /// Returns the name of the object's type.
  ///
  /// - Throws: `SelectionError.dependsOnData` if it was not requested with mock values and the response does not have
  ///   it.
  public func __typename() throws -> String { try __leaf("__typename", "String!") }

  /// Returns the value of another selection on the same object.
  ///
  /// - Throws: `SelectionError` if the response does not match the selection, and errors of the selection's closure.
  public func selection<Value>(_ selection: Selection<Value, Scope>) throws -> Value { try selection.run(place) }

  /// Returns the state of deferred fields, with their value once they have arrived.
  ///
  /// - Parameters:
  /// - label: The `label` of `@defer`. If it is used several times in an operation, a number is appended.
  /// - condition: `@defer(if:)`. If false, the fields are not deferred.
  /// - Throws: `SelectionError.dependsOnData` if it was not requested with mock values, and errors of `select`.
  public func `defer`<Value>(
    label: String, if condition: Bool? = nil, _ select: (Fields<Scope>) throws -> Value
  ) throws -> DeferredValue<Value> {
    switch place {
    case .collecting(let collector):
      return .fulfilled(try select(Fields(.collecting(collector.deferred(Scope.self, label, condition)))))
    case .decoding(let object):
      guard let (inner, state) = object.deferred(Scope.typeName, label) else {
        throw SelectionError.dependsOnData(type: Scope.typeName, field: "@defer(label: \"\(label)\")")
      }
      return switch state {
      case .pending: .pending
      case .failed(let errors): .failed(errors)
      case .notExecuted: .notExecuted
      case .fulfilled: .fulfilled(try select(Fields(.decoding(inner))))
      }
    }
  }

  // MARK: For generated code

  /// Returns the value of a field without selections.
  ///
  /// - Throws: `SelectionError.dependsOnData` if the field was not requested with mock values,
  ///   `SelectionError.wrongValue` if its value has another type.
  public func __leaf<Value: LeafValue>(
    _ name: StaticString, _ type: StaticString, _ arguments: Argument...
  ) throws -> Value {
    switch place {
    case .collecting(let collector):
      collector.field(name.description, type.description, Value.__kind, arguments, nil)
      return Value.__mock(collector.variant)
    case .decoding(let object):
      let (value, path) = try object.value(of: name.description, arguments)
      do {
        return try Value(json: value)
      } catch let error as SelectionError {
        throw error
      } catch {
        throw SelectionError.wrongValue(path: path, expected: type.description, reason: "\(error)")
      }
    }
  }

  /// Returns the value of a field with selections.
  ///
  /// - Throws: `SelectionError.dependsOnData` if the field was not requested with mock values, and errors of the
  ///   selection.
  public func __object<Value, Inner: SelectionScope>(
    _ name: StaticString, _ type: StaticString, _ selection: Selection<Value, Inner>, _ arguments: Argument...
  ) throws -> Value {
    switch place {
    case .collecting(let collector):
      let scope = Inner.__type
      let kind: NamedTypeKind = scope is any ObjectScope.Type ? .object : .abstract
      let inner = collector.field(name.description, type.description, kind, arguments, scope)
      return try selection.run(.collecting(inner ?? collector))
    case .decoding(let object):
      return try selection.run(.decoding(try object.child(of: name.description, arguments)))
    }
  }

  /// Returns the value of the branch for the object's type.
  ///
  /// - Throws: `SelectionError.unknownType` if there is no branch for the type, `SelectionError.dependsOnData` if the
  ///   branch was not requested with mock values, and errors of the branch.
  public func __on<Value>(_ branches: [Branch<Value>]) throws -> Value {
    try __on(branches, otherwise: { throw SelectionError.unknownType(typename, path: place.path) }())
  }

  /// Returns the value of the branch for the object's type, or `otherwise` if there is none.
  ///
  /// - Throws: `SelectionError.dependsOnData` if the branch was not requested with mock values, and errors of the
  ///   branch or `otherwise`.
  public func __on<Value>(
    _ branches: [Branch<Value>], otherwise: @autoclosure () throws -> Value
  ) throws -> Value {
    switch place {
    case .collecting(let collector):
      var first: Value?
      for branch in branches where branch.isAsked {
        let value = try branch.run(.collecting(collector.fragment(on: branch.type)))
        if first == nil { first = value }
      }
      return try first ?? otherwise()
    case .decoding(let object):
      guard let branch = branches.first(where: { $0.isAsked && $0.type.typeName == typename }) else {
        return try otherwise()
      }
      guard let inner = object.fragment(on: branch.type.typeName) else {
        throw SelectionError.dependsOnData(type: Scope.typeName, field: "... on \(branch.type.typeName)")
      }
      return try branch.run(.decoding(inner))
    }
  }

  /// The type name of the object.
  private var typename: String? {
    if case .decoding(let object) = place { object.json["__typename"]?.string } else { nil }
  }
}
