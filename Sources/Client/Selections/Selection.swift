/// What is asked of a GraphQL type, and what becomes of the answer: `Scope` is the type that is asked, `Value` what the
/// closure makes of its fields.
///
/// `Scope` is a phantom type: it decides at compile time which fields the closure may ask for. The closure runs first
/// over mock values, which tells what it asks for, and then over each object of a response. So it must ask for the same
/// fields whatever their values are.
public struct Selection<Value, Scope>: Sendable {
  let run: @Sendable (SelectionPlace) throws -> Value
  /// False for the branch of `on` that was left out.
  let isAsked: Bool

  init(isAsked: Bool = true, place run: @escaping @Sendable (SelectionPlace) throws -> Value) {
    self.run = run
    self.isAsked = isAsked
  }

  /// The selection whose scope is a list: `[Value]` of `[Scope]`.
  public var list: Selection<[Value], [Scope]> {
    Selection<[Value], [Scope]> { place in try place.elements().map { try run($0) } }
  }

  /// The selection whose scope may be null: `Value?` of `Scope?`.
  public var nullable: Selection<Value?, Scope?> {
    Selection<Value?, Scope?> { place in try place.isNull ? nil : run(place) }
  }

  /// The selection of what may be null by the schema, but never is: null throws.
  public var nonNullOrFail: Selection<Value, Scope?> {
    Selection<Value, Scope?> { place in
      if place.isNull { throw SelectionError.null(path: place.path) }
      return try run(place)
    }
  }

  /// The same selection with an optional value, as a branch beside others that may have none.
  public var optional: Selection<Value?, Scope> { map { $0 } }

  /// The selection that makes something else of the value.
  public func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> Selection<Other, Scope> {
    Selection<Other, Scope> { place in try transform(run(place)) }
  }
}

extension Selection where Scope: TypeScope {
  /// A selection of one object's fields.
  public init(_ select: @escaping @Sendable (Fields<Scope>) throws -> Value) {
    self.init { place in try select(Fields(place)) }
  }

  /// What stands in for a branch of `on` that is left out.
  public static var __skipped: Selection<Value, Scope> {
    Selection(isAsked: false) { place in throw SelectionError.unknownType(nil, path: place.path) }
  }

  /// The selection as a branch of an interface or union.
  public var __branch: Branch<Value> { Branch(type: Scope.self, isAsked: isAsked, run: run) }
}

/// One branch of `on`: the selection for the objects of one type.
public struct Branch<Value>: Sendable {
  let type: any TypeScope.Type
  let isAsked: Bool
  let run: @Sendable (SelectionPlace) throws -> Value
}

extension Selection {
  /// The same as the property, for those who like the list to stand first.
  public static func list<Element, Inner>(
    _ selection: Selection<Element, Inner>
  ) -> Selection where Value == [Element], Scope == [Inner] { selection.list }

  /// The same as the property.
  public static func nullable<Wrapped, Inner>(
    _ selection: Selection<Wrapped, Inner>
  ) -> Selection where Value == Wrapped?, Scope == Inner? { selection.nullable }

  /// The same as the property.
  public static func nonNullOrFail<Inner>(
    _ selection: Selection<Value, Inner>
  ) -> Selection where Scope == Inner? { selection.nonNullOrFail }
}
