import Synchronization

/// How many bytes a WebSocket has brought that nobody is done with. When they are too many the socket is left unread until
/// most of them are taken, so that the server is held back and a slow reader costs bounded memory.
final class WebSocketFlow: Sendable {
  static let highWater = 4 << 20
  static let lowWater = 1 << 20

  private struct State {
    var waitingBytes = 0
    var isHeld = false
  }

  private let state = Mutex(State())
  private let id: UInt64
  private let engine: TransferEngine

  init(id: UInt64, engine: TransferEngine) {
    self.id = id
    self.engine = engine
  }

  var isHeld: Bool { state.withLock { $0.isHeld } }

  /// Asked before each read.
  func mayRead() -> Bool {
    state.withLock { state in
      if state.waitingBytes > Self.highWater { state.isHeld = true }
      return !state.isHeld
    }
  }

  /// What a message costs while it waits, beside its bytes.
  private static let messageCost = 256

  func receipt(for byteCount: Int) -> WebSocketReceipt {
    let byteCount = byteCount + Self.messageCost
    state.withLock { $0.waitingBytes += byteCount }
    return WebSocketReceipt(byteCount, of: self)
  }

  fileprivate func give(back byteCount: Int) {
    let goesOn = state.withLock { state in
      state.waitingBytes -= byteCount
      guard state.isHeld, state.waitingBytes <= Self.lowWater else { return false }
      state.isHeld = false
      return true
    }
    if goesOn { engine.submit(.resume(id)) }
  }
}

/// Goes with a message for as long as somebody has still to take it; dropping it says that it was taken.
package final class WebSocketReceipt: Sendable {
  private let byteCount: Int
  private let flow: WebSocketFlow

  fileprivate init(_ byteCount: Int, of flow: WebSocketFlow) {
    self.byteCount = byteCount
    self.flow = flow
  }

  deinit { flow.give(back: byteCount) }
}
