import Synchronization

/// An object that is created on first use and then read without a lock.
///
/// `AtomicLazyReference` of the standard library does the same, but it is not specialized in other modules and looks up
/// its types on every access: about 700 instructions instead of ten.
struct OnceReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let stored = Atomic<Unmanaged<Object>?>(nil)

  /// Returns the object. If two threads create it at the same time, both get the same one.
  func value(_ make: () -> Object) -> Object {
    stored.load(ordering: .acquiring)?.takeUnretainedValue() ?? store(make())
  }

  private func store(_ object: Object) -> Object {
    let retained = Unmanaged.passRetained(object)
    let (isKept, other) = stored.compareExchange(expected: nil, desired: retained, ordering: .acquiringAndReleasing)
    guard !isKept, let other else { return object }
    retained.release()
    return other.takeUnretainedValue()
  }

  deinit { stored.load(ordering: .acquiring)?.release() }
}
