import Synchronization

/// Counts the bytes of unread messages of a WebSocket. If there are too many, reading pauses until most are read, so
/// that a slow reader uses bounded memory.
final class WebSocketFlowControl: Sendable {
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

  /// Whether the socket may be read. Called before each read.
  func mayRead() -> Bool {
    state.withLock { state in
      if state.waitingBytes > Self.highWater { state.isHeld = true }
      return !state.isHeld
    }
  }

  /// The estimated memory for a waiting message, in addition to its bytes.
  private static let messageCost = 256

  func receipt(for byteCount: Int) -> WebSocketReceipt {
    let byteCount = byteCount + Self.messageCost
    state.withLock { $0.waitingBytes += byteCount }
    return WebSocketReceipt(byteCount, of: self)
  }

  fileprivate func release(back byteCount: Int) {
    let hasMore = state.withLock { state in
      state.waitingBytes -= byteCount
      guard state.isHeld, state.waitingBytes <= Self.lowWater else { return false }
      state.isHeld = false
      return true
    }
    if hasMore { engine.submit(.resume(id)) }
  }
}

/// A receipt for a message. Releasing it marks the message as read.
package final class WebSocketReceipt: Sendable {
  private let byteCount: Int
  private let flow: WebSocketFlowControl

  fileprivate init(_ byteCount: Int, of flow: WebSocketFlowControl) {
    self.byteCount = byteCount
    self.flow = flow
  }

  deinit { flow.release(back: byteCount) }
}
