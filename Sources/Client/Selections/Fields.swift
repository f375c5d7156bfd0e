import ApusClientAPI
import ApusJSON

/// The fields of one type, as the closure of a selection sees them: one method for each field, generated in extensions.
///
/// What begins with `__` is for generated code; no field of a schema may be named so.
public final class Fields<Scope> {
  let place: SelectionPlace

  init(_ place: SelectionPlace) {
    self.place = place
  }
}

extension Fields where Scope: TypeScope {
  /// The name of the object's type.
  ///
  /// - Throws: `SelectionError.dependsOnData` where it was not asked for over mock values and the response does not tell it.
  public func __typename() throws -> String { try __leaf("__typename", "String!") }

  /// A whole other selection on the same object.
  ///
  /// - Throws: `SelectionError` where the response does not fit the selection, and what the selection's own closure
  ///   throws.
  public func selection<Value>(_ selection: Selection<Value, Scope>) throws -> Value { try selection.run(place) }

  /// Fields that may arrive later: their state, and once they are there their value.
  ///
  /// - Parameters:
  ///   - label: The `label` of `@defer`. Used at several places of an operation, it is told apart by a number.
  ///   - condition: `@defer(if:)`; false asks for the fields at once.
  /// - Throws: `SelectionError.dependsOnData` where the closure did not ask for it over mock values; what `select`
  ///   throws.
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

  /// A field without selections of its own.
  ///
  /// - Throws: `SelectionError`: `dependsOnData` where the field was not asked for over mock values, `wrongValue` where
  ///   its value is not of the type.
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

  /// A field with selections beneath.
  ///
  /// - Throws: `SelectionError.dependsOnData` where the field was not asked for over mock values; what the selection
  ///   throws.
  public func __object<Value, Inner: SelectionScope>(
    _ name: StaticString, _ type: StaticString, _ selection: Selection<Value, Inner>, _ arguments: Argument...
  ) throws -> Value {
    switch place {
    case .collecting(let collector):
      let scope = Inner.__type
      let kind: LeafKind = scope is any ObjectScope.Type ? .object : .abstract
      let inner = collector.field(name.description, type.description, kind, arguments, scope)
      return try selection.run(.collecting(inner ?? collector))
    case .decoding(let object):
      return try selection.run(.decoding(try object.child(of: name.description, arguments)))
    }
  }

  /// The branch for the object's type.
  ///
  /// - Throws: `SelectionError`: `unknownType` where no branch is for it, `dependsOnData` where the branch was not
  ///   asked for; what the branch throws.
  public func __on<Value>(_ branches: [Branch<Value>]) throws -> Value {
    try __on(branches, otherwise: { throw SelectionError.unknownType(typename, path: place.path) }())
  }

  /// The branch for the object's type; `otherwise` for types that no branch is for.
  ///
  /// - Throws: `SelectionError.dependsOnData` where the branch was not asked for over mock values; what the branch or
  ///   `otherwise` throws.
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

  /// The type that the object says it has.
  private var typename: String? {
    if case .decoding(let object) = place { object.json["__typename"]?.string } else { nil }
  }
}
