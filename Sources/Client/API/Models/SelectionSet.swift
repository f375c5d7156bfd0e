import ApusJSON

/// What an operation selects on one object, as a Swift value: a view on the response that decodes a field when it is
/// read. The response was checked against the operation before, so that an accessor always finds what its type says.
public protocol SelectionSet: OutputValue, CustomDebugStringConvertible {
  /// The schema that the models belong to.
  associatedtype Schema: SchemaMetadata
  /// The named and the deferred fragments that the object was selected with.
  associatedtype Fragments = NoFragments
  /// What models call their selections; outside of models the name is left to type-safe selections.
  typealias Selection = ModelSelection

  /// The type that the selections are made on.
  static var __parentType: any ParentType { get }
  /// The model's own selections, in the order of the document; those of its fragments stand in the fragments.
  static var __selections: [Selection] { get }
  /// The response's object behind the model, from which its properties are read.
  var __data: DataDict { get }
  /// A view on an object of a response that was checked against the operation. To make a model by hand, use the
  /// initializer that is generated for it: reading a field that the object does not have ends the program.
  init(_dataDict: DataDict)
}

/// The selections on an object that a field gives, or on the root object of an operation.
public protocol RootSelectionSet: SelectionSet {}

/// Selections that can be changed: those of a local cache mutation.
public protocol MutableRootSelectionSet: RootSelectionSet {
  /// The object behind the model; setting a property gives the model another one, which shares what is unchanged.
  var __data: DataDict { get set }
}

/// The selections of an inline fragment: those of the object that it stands on, and its own.
public protocol InlineFragment: SelectionSet, Deferrable {
  /// The model of the object that the fragment stands on.
  associatedtype RootEntityType: RootSelectionSet
}

/// A type case that is not in the document as such: an object that several of its inline fragments cover has the
/// fields of all of them.
public protocol CompositeInlineFragment: InlineFragment {
  /// The fragments that it is made of. It is there when all of them are.
  static var __mergedSources: [any SelectionSet.Type] { get }
}

/// The selections of a named fragment.
public protocol Fragment: SelectionSet, Deferrable {
  /// The fragment's name in its document.
  static var fragmentName: String { get }
  /// The fragment's text in the document.
  static var fragmentDefinition: String { get }
}

/// Selections that may arrive later than the object they are made on.
public protocol Deferrable: SelectionSet {}

extension SelectionSet {
  public static var __selections: [Selection] { [] }

  public static var _outputType: OutputType { .nonNull(.object(Self.self)) }

  public init?(_ field: FieldView) {
    guard field.json.kind == .object else { return nil }
    self.init(_dataDict: field.object(for: Self.self))
  }

  public var _json: JSONValue { __data.json }

  /// The type that the object says it has.
  public var __typename: String? { __data.typename }

  /// The object's type, if the schema had it when the source was generated.
  public var __objectType: ObjectType? { __typename.flatMap { Schema.objectType(named: $0) } }

  /// The same object through the eyes of one of its inline fragments; `nil` when the fragment does not cover it, or was
  /// left out.
  public func _asInlineFragment<Case: SelectionSet>() -> Case? {
    __data.covers(Case.self) ? Case(_dataDict: __data) : nil
  }

  /// The object's JSON text. It is what printing shows; `description` is left to fields of that name.
  public var debugDescription: String { __data.json.description }

  /// Whether everything that can be read from both is the same, deferred fragments with their states. What else the
  /// objects behind them have does not count.
  public static func == (left: Self, right: Self) -> Bool { left.__data.isEqual(to: right.__data, as: Self.self) }

  public func hash(into hasher: inout Hasher) { __data.hash(as: Self.self, into: &hasher) }

  /// Stands here so that no model gets one of its own.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }
}

extension SelectionSet where Fragments: FragmentContainer {
  /// The named and the deferred fragments that the object was selected with.
  public var fragments: Fragments { Fragments(_dataDict: __data) }
}

extension MutableRootSelectionSet where Fragments: MutableFragmentContainer {
  /// The named and the deferred fragments that the object was selected with. To set a named one sets its fields; `nil`
  /// changes nothing.
  public var fragments: Fragments {
    get { Fragments(_dataDict: __data) }
    set { __data = newValue.__data }
  }
}

extension InlineFragment {
  /// The same object as the field gave it.
  public var asRootEntityType: RootEntityType { RootEntityType(_dataDict: __data) }
}
