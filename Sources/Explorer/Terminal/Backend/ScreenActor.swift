import ApusPlatform
import Synchronization

/// The actor for drawing and for reading keys. It runs on one thread, which sleeps while nothing happens.
@globalActor
package actor ScreenActor {
  package static let shared = ScreenActor()

  nonisolated package var unownedExecutor: UnownedSerialExecutor {
    ScreenLoop.shared.asUnownedSerialExecutor()
  }
}
