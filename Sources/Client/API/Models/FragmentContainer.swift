/// Holds the accessors of an object's fragments: named ones as computed properties, deferred ones behind `@Deferred`.
public protocol FragmentContainer: Sendable {
  /// The object that the fragments were selected on.
  var __data: DataDict { get }
  /// The fragments of an object, as views on its data: nothing is decoded yet.
  init(_dataDict: DataDict)
}

/// The fragments of an object that can be changed: named ones can be set, which sets their fields of the object.
public protocol MutableFragmentContainer: FragmentContainer {
  /// The object that the fragments were selected on, as it was changed through them.
  var __data: DataDict { get set }
}

/// The container of models that have no fragments.
public enum NoFragments: Sendable {}

extension FragmentContainer {
  /// The object through the eyes of a named fragment that covers every object here.
  public func _toFragment<Part: SelectionSet>() -> Part { Part(_dataDict: __data) }

  /// The object through the eyes of a named fragment; `nil` when the fragment does not cover it, or was left out.
  public func _toFragment<Part: SelectionSet>() -> Part? {
    __data.covers(Part.self) ? Part(_dataDict: __data) : nil
  }
}
