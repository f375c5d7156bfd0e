import ApusJSON

/// The selections of an operation on one object, as a typed view on the response. Fields are decoded on access. The
/// response was validated against the operation, so accessors always find a value of their type.
public protocol SelectionSet: OutputValue, CustomDebugStringConvertible {
  /// The metadata of the schema.
  associatedtype Schema: SchemaMetadata
  /// The named and deferred fragments of the object.
  associatedtype Fragments = NoFragments
  /// The name for selections inside models.
  typealias Selection = ModelSelection

  /// The type on which the selections are made.
  static var __parentType: any ParentType { get }
  /// The model's own selections in document order, without those of its fragments.
  static var __selections: [Selection] { get }
  /// The data from which the properties are read.
  var __data: DataDict { get }
  /// Creates a view on an object of a validated response. To create a model in code, use its generated initializer:
  /// reading a missing field traps.
  init(_dataDict: DataDict)
}

/// The selections on the object of a field, or on the root object.
public protocol RootSelectionSet: SelectionSet {}

/// The selections of a local cache mutation, which can be changed.
public protocol MutableRootSelectionSet: RootSelectionSet {
  /// The data of the model. Setting a property replaces it with a copy that shares unchanged parts.
  var __data: DataDict { get set }
}

/// The selections of an inline fragment, including those of its enclosing object.
public protocol InlineFragment: SelectionSet, Deferrable {
  /// The model of the enclosing object.
  associatedtype RootEntityType: RootSelectionSet
}

/// Several inline fragments on one object, combined: `... on Bird { name } ... on Owl { prey }` on an owl has both
/// fields.
public protocol CompositeInlineFragment: InlineFragment {
  /// Combined fragments, all of which must cover the object.
  static var __mergedSources: [any SelectionSet.Type] { get }
}

/// The selections of a named fragment.
public protocol Fragment: SelectionSet, Deferrable {
  /// The fragment's name.
  static var fragmentName: String { get }
  /// The text of the fragment definition.
  static var fragmentDefinition: String { get }
}

/// A selection set that can be deferred.
public protocol Deferrable: SelectionSet {}

extension SelectionSet {
  public static var __selections: [Selection] { [] }

  public static var _outputType: OutputType { .nonNull(.object(Self.self)) }

  public init?(_ field: FieldValue) {
    guard field.json.kind == .object else { return nil }
    self.init(_dataDict: field.object(for: Self.self))
  }

  public var _json: JSONValue { __data.json }

  /// The type name of the object.
  public var __typename: String? { __data.typename }

  /// The object's type; `nil` if the schema did not have it when the code was generated.
  public var __objectType: ObjectType? { __typename.flatMap { Schema.objectType(named: $0) } }

  /// Returns the object as an inline fragment; `nil` if the fragment does not cover it or a condition excludes it.
  public func _asInlineFragment<Case: SelectionSet>() -> Case? {
    __data.covers(Case.self) ? Case(_dataDict: __data) : nil
  }

  /// The JSON text of the object. `description` is not used, because a field may have that name.
  public var debugDescription: String { __data.json.description }

  /// Whether all values that can be read from both are equal, including the states of deferred fragments. Other data of
  /// the objects does not count.
  public static func == (left: Self, right: Self) -> Bool { left.__data.isEqual(to: right.__data, as: Self.self) }

  public func hash(into hasher: inout Hasher) { __data.hash(as: Self.self, into: &hasher) }

  /// Implemented here so that the compiler does not generate it for every model.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }
}

extension SelectionSet where Fragments: FragmentContainer {
  /// The named and deferred fragments of the object.
  public var fragments: Fragments { Fragments(_dataDict: __data) }
}

extension MutableRootSelectionSet where Fragments: MutableFragmentContainer {
  /// The named and deferred fragments of the object. Setting a named fragment sets its fields; `nil` changes nothing.
  public var fragments: Fragments {
    get { Fragments(_dataDict: __data) }
    set { __data = newValue.__data }
  }
}

extension InlineFragment {
  /// The enclosing object.
  public var asRootEntityType: RootEntityType { RootEntityType(_dataDict: __data) }
}
