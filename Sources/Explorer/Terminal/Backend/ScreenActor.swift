import ApusPlatform
import Synchronization

/// The actor of all that draws and of all that reads keys: one thread, which sleeps while nothing happens.
@globalActor
package actor ScreenActor {
  package static let shared = ScreenActor()

  nonisolated package var unownedExecutor: UnownedSerialExecutor {
    ScreenLoop.shared.asUnownedSerialExecutor()
  }
}
