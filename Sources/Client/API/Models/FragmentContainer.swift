/// The fragments of an object: named ones as computed properties, deferred ones with `@Deferred`.
public protocol FragmentContainer: Sendable {
  /// The object on which the fragments are selected.
  var __data: DataDict { get }
  /// Creates the fragments as views on an object, without decoding anything.
  init(_dataDict: DataDict)
}

/// The fragments of a mutable object. Setting a named fragment sets its fields in the object.
public protocol MutableFragmentContainer: FragmentContainer {
  /// The object with the changes made through the fragments.
  var __data: DataDict { get set }
}

/// The container for models without fragments.
public enum NoFragments: Sendable {}

extension FragmentContainer {
  /// Returns the object as a named fragment that covers every object here.
  public func _toFragment<Part: SelectionSet>() -> Part { Part(_dataDict: __data) }

  /// Returns the object as a named fragment; `nil` if the fragment does not cover it or a condition excludes it.
  public func _toFragment<Part: SelectionSet>() -> Part? {
    __data.covers(Part.self) ? Part(_dataDict: __data) : nil
  }
}
