/// The fields requested from a GraphQL type, and the conversion of their values. `Scope` is the GraphQL type, and
/// `Value` is the result of the closure.
///
/// `Scope` is a phantom type, which determines at compile time which fields the closure can request. The closure runs
/// first with mock values to collect the fields, and then for each object of a response. It must request the same
/// fields regardless of their values.
public struct Selection<Value, Scope>: Sendable {
  let run: @Sendable (SelectionContext) throws -> Value
  /// False for a branch of `on` that was omitted.
  let isAsked: Bool

  init(isAsked: Bool = true, place run: @escaping @Sendable (SelectionContext) throws -> Value) {
    self.run = run
    self.isAsked = isAsked
  }

  /// The selection for a list: `[Value]` of `[Scope]`.
  public var list: Selection<[Value], [Scope]> {
    Selection<[Value], [Scope]> { place in try place.elements().map { try run($0) } }
  }

  /// The selection for a nullable type: `Value?` of `Scope?`.
  public var nullable: Selection<Value?, Scope?> {
    Selection<Value?, Scope?> { place in try place.isNull ? nil : run(place) }
  }

  /// The selection for a nullable type whose value is never null; null throws.
  public var nonNullOrFail: Selection<Value, Scope?> {
    Selection<Value, Scope?> { place in
      if place.isNull { throw SelectionError.null(path: place.path) }
      return try run(place)
    }
  }

  /// The selection with an optional value, for use next to branches that have none.
  public var optional: Selection<Value?, Scope> { map { $0 } }

  /// Returns the selection with a transformed value.
  public func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> Selection<Other, Scope> {
    Selection<Other, Scope> { place in try transform(run(place)) }
  }
}

extension Selection where Scope: TypeScope {
  /// Creates a selection of an object's fields.
  public init(_ select: @escaping @Sendable (Fields<Scope>) throws -> Value) {
    self.init { place in try select(Fields(place)) }
  }

  /// The default of a branch of `on` that is omitted.
  public static var __skipped: Selection<Value, Scope> {
    Selection(isAsked: false) { place in throw SelectionError.unknownType(nil, path: place.path) }
  }

  /// The selection as a branch of an interface or union.
  public var __branch: Branch<Value> { Branch(type: Scope.self, isAsked: isAsked, run: run) }
}

/// A branch of `on`: the selection for objects of one type.
public struct Branch<Value>: Sendable {
  let type: any TypeScope.Type
  let isAsked: Bool
  let run: @Sendable (SelectionContext) throws -> Value
}

extension Selection {
  /// Returns the selection for a list, in prefix form.
  public static func list<Element, Inner>(
    _ selection: Selection<Element, Inner>
  ) -> Selection where Value == [Element], Scope == [Inner] { selection.list }

  /// Returns the selection for a nullable type, in prefix form.
  public static func nullable<Wrapped, Inner>(
    _ selection: Selection<Wrapped, Inner>
  ) -> Selection where Value == Wrapped?, Scope == Inner? { selection.nullable }

  /// Returns the selection for a value that is never null, in prefix form.
  public static func nonNullOrFail<Inner>(
    _ selection: Selection<Value, Inner>
  ) -> Selection where Scope == Inner? { selection.nonNullOrFail }
}
