import ApusPlatform
import ApusWebSocket
import Synchronization

/// The server's side of one WebSocket: a thread reads and writes it, anyone may send.
///
/// 1. `run` is called on a thread of its own and returns when the connection is over.
/// 2. What is sent meanwhile waits in a mailbox; a byte in a pipe wakes the thread.
/// 3. While the client does not take what it is sent, nothing more of it is read: answers do not pile up. Who lets events
///    wait beyond the limit and is sent one more is cut off.
/// 4. A close frame is sent behind what waits, and its answer awaited for a moment.
final class UpgradedSocket: Sendable {
  /// What the thread hands to the one who answers, in order; the end once.
  enum Event {
    case text([UInt8])
    case ended
  }

  private struct Mailbox {
    var texts: [[UInt8]] = []
    /// The bytes that wait: in `texts`, and those that the thread has taken and could not write yet.
    var (textSize, unwritten) = (0, 0)
    var close: (code: Int, reason: String)?
    /// The client takes too little of what it is sent.
    var isCutOff = false
    var isOver = false
  }

  private static let closeLimit = Duration.seconds(2)

  private let descriptor: Int32
  private let outgoingLimit: Int
  private let wake: (read: Int32, write: Int32)
  private let mailbox = Mutex(Mailbox())

  /// Nil when the system has no descriptors left. `outgoingLimit` is in bytes.
  init?(descriptor: Int32, outgoingLimit: Int) {
    guard let wake = Descriptor.pipe() else { return nil }
    for end in [wake.read, wake.write] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    Descriptor.silence(descriptor)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    self.descriptor = descriptor
    self.outgoingLimit = outgoingLimit
    self.wake = wake
  }

  deinit {
    ApusPlatform.close(wake.read)
    ApusPlatform.close(wake.write)
  }

  // MARK: On any thread

  func send(_ text: [UInt8]) {
    put { mailbox in
      guard mailbox.textSize + mailbox.unwritten <= outgoingLimit else {
        mailbox.isCutOff = true
        return
      }
      mailbox.texts.append(text)
      mailbox.textSize += text.count
    }
  }

  /// The first code stands.
  func close(code: Int, reason: String) {
    put { mailbox in
      if mailbox.close == nil { mailbox.close = (code, reason) }
    }
  }

  private func put(_ change: (inout Mailbox) -> Void) {
    mailbox.withLock { mailbox in
      guard !mailbox.isOver else { return }
      change(&mailbox)
      _ = Descriptor.writeAll([0], to: wake.write)
    }
  }

  // MARK: On its own thread

  /// Serves the connection to its end. `first` is what the client sent behind its request.
  func run(first: [UInt8], _ receive: (Event) -> Void) {
    let frames = WebSocketFrames(role: .server)
    var outgoing: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var closeDeadline: ContinuousClock.Instant?
    var isOpen = hand(frames.receive(first), to: receive)
    while isOpen {
      let (texts, close, isCutOff) = mailbox.withLock { mailbox in
        defer { (mailbox.texts, mailbox.unwritten, mailbox.textSize) = ([], mailbox.unwritten + mailbox.textSize, 0) }
        return (mailbox.texts, mailbox.close, mailbox.isCutOff)
      }
      if isCutOff { break }
      if closeDeadline == nil {
        for text in texts { frames.send(text: text) }
        if let close {
          frames.close(code: close.code, reason: close.reason)
          closeDeadline = .now + Self.closeLimit
        }
      }
      outgoing += frames.takeOutgoing()
      guard write(&outgoing) else { break }
      mailbox.withLock { $0.unwritten = outgoing.count }
      if frames.isOver, outgoing.isEmpty { break }
      if let closeDeadline, closeDeadline <= .now { break }
      wait(writing: !outgoing.isEmpty, until: closeDeadline)
      if outgoing.isEmpty { isOpen = read(into: &buffer) { hand(frames.receive($0), to: receive) } }
    }
    mailbox.withLock { $0.isOver = true }
    outgoing += frames.takeOutgoing()
    _ = write(&outgoing)
    shutdown(descriptor, Int32(SHUT_WR))
    receive(.ended)
  }

  /// False when the other side broke the protocol.
  private func hand(_ events: [WebSocketFrames.Event], to receive: (Event) -> Void) -> Bool {
    for event in events {
      switch event {
      case .text(let text), .binary(let text): receive(.text(text))
      case .broken: return false
      case .ping, .pong, .closed: break
      }
    }
    return true
  }

  private func wait(writing: Bool, until deadline: ContinuousClock.Instant?) {
    var descriptors = [
      pollfd(fd: descriptor, events: Int16(writing ? POLLOUT : POLLIN), revents: 0),
      pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
    ]
    let left = deadline.map { Int32(clamping: ContinuousClock.now.duration(to: $0).components.seconds * 1000 + 1000) }
    _ = poll(&descriptors, nfds_t(descriptors.count), left ?? -1)
    if descriptors[1].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 64)
      while Descriptor.read(wake.read, into: &bytes) == bytes.count {}
    }
  }

  /// Hands over what is there, a buffer of it at most; false at the end of the connection.
  private func read(into buffer: inout [UInt8], _ receive: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    let count = Descriptor.read(descriptor, into: &buffer)
    guard count > 0 else { return count < 0 && errno == EAGAIN }
    return buffer.withUnsafeBytes { receive(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  /// Writes what goes; false when the client is gone.
  private func write(_ bytes: inout [UInt8]) -> Bool {
    var sent = 0
    defer { bytes.removeFirst(sent) }
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Descriptor.send($0, to: descriptor) }
      if count > 0 {
        sent += count
      } else {
        return errno == EAGAIN
      }
    }
    return true
  }
}
