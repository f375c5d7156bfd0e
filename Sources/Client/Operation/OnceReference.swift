import Synchronization

/// A place for an object that is made once, when it is first asked for, and read without a lock from then on.
///
/// `AtomicLazyReference` of the standard library is the same; it cannot be specialized outside of that library, and looks its
/// types up each time: some 700 instructions, where this takes ten.
struct OnceReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let stored = Atomic<Unmanaged<Object>?>(nil)

  /// The object; of two that are made at the same time one is kept, and given to both who asked.
  func value(_ make: () -> Object) -> Object {
    stored.load(ordering: .acquiring)?.takeUnretainedValue() ?? keep(make())
  }

  private func keep(_ object: Object) -> Object {
    let own = Unmanaged.passRetained(object)
    let (isKept, other) = stored.compareExchange(expected: nil, desired: own, ordering: .acquiringAndReleasing)
    guard !isKept, let other else { return object }
    own.release()
    return other.takeUnretainedValue()
  }

  deinit { stored.load(ordering: .acquiring)?.release() }
}
