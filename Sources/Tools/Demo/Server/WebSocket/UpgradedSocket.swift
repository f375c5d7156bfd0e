import ApusPlatform
import ApusWebSocket
import Synchronization

/// The server side of a WebSocket. One thread reads and writes; any thread may send.
///
/// 1. `run` is called on a separate thread and returns when the connection is over.
/// 2. Messages to send wait in a mailbox; a byte in a pipe wakes the thread.
/// 3. While the client does not read, its messages are not read either, so that responses do not pile up. A client that
///    leaves more events than the limit unread is disconnected.
/// 4. A close frame is sent after waiting messages, and its answer is awaited for a short time. Later messages are neither sent nor
///    handled.
final class UpgradedSocket: Sendable {
  /// An event for the handler, in order, with one end.
  enum Event {
    case text([UInt8])
    case ended
  }

  private struct Mailbox {
    var texts: [[UInt8]] = []
    /// The bytes that are not yet written: in `texts`, and those that the thread took from it.
    var (textSize, unwritten) = (0, 0)
    var close: (code: Int, reason: String)?
    /// Set when the client has left too much unread.
    var isCutOff = false
    var isOver = false
  }

  private static let closeLimit = Duration.seconds(2)

  private let descriptor: Int32
  private let outgoingLimit: Int
  private let wake: (read: Int32, write: Int32)
  private let mailbox = Mutex(Mailbox())

  /// Creates a socket; nil if the system has no free descriptors. `outgoingLimit` is in bytes.
  init?(descriptor: Int32, outgoingLimit: Int) {
    guard let wake = FileDescriptor.pipe() else { return nil }
    for end in [wake.read, wake.write] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    FileDescriptor.silence(descriptor)
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
      guard mailbox.close == nil else { return }
      guard mailbox.textSize + mailbox.unwritten <= outgoingLimit else {
        mailbox.isCutOff = true
        return
      }
      mailbox.texts.append(text)
      mailbox.textSize += text.count
    }
  }

  /// Closes the connection. Only the first code counts.
  func close(code: Int, reason: String) {
    put { mailbox in
      if mailbox.close == nil { mailbox.close = (code, reason) }
    }
  }

  private func put(_ change: (inout Mailbox) -> Void) {
    mailbox.withLock { mailbox in
      guard !mailbox.isOver else { return }
      change(&mailbox)
      _ = FileDescriptor.writeAll([0], to: wake.write)
    }
  }

  // MARK: On its own thread

  /// Serves the connection until it is over. `first` contains the bytes that followed the client's request.
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
      for text in texts { frames.send(text: text) }
      if let close, closeDeadline == nil {
        frames.close(code: close.code, reason: close.reason)
        closeDeadline = .now + Self.closeLimit
      }
      outgoing += frames.dequeueOutgoing()
      guard write(&outgoing) else { break }
      mailbox.withLock { $0.unwritten = outgoing.count }
      if frames.isOver, outgoing.isEmpty { break }
      if let closeDeadline, closeDeadline <= .now { break }
      wait(writing: !outgoing.isEmpty, until: closeDeadline)
      if outgoing.isEmpty { isOpen = read(into: &buffer) { hand(frames.receive($0), to: receive) } }
    }
    mailbox.withLock { $0.isOver = true }
    outgoing += frames.dequeueOutgoing()
    _ = write(&outgoing)
    shutdown(descriptor, Int32(SHUT_WR))
    receive(.ended)
  }

  /// Reports events; returns false if the client violated the protocol.
  private func hand(_ events: [WebSocketFrames.Event], to receive: (Event) -> Void) -> Bool {
    for event in events {
      switch event {
      case .text(let text), .binary(let text):
        if mailbox.withLock({ $0.close == nil }) { receive(.text(text)) }
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
      while FileDescriptor.read(wake.read, into: &bytes) == bytes.count {}
    }
  }

  /// Reads at most one buffer; returns false at the end of the connection.
  private func read(into buffer: inout [UInt8], _ receive: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    let count = FileDescriptor.read(descriptor, into: &buffer)
    guard count > 0 else { return count < 0 && errno == EAGAIN }
    return buffer.withUnsafeBytes { receive(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  /// Writes as much as possible; returns false if the client is gone.
  private func write(_ bytes: inout [UInt8]) -> Bool {
    var sent = 0
    defer { bytes.removeFirst(sent) }
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { FileDescriptor.send($0, to: descriptor) }
      if count > 0 {
        sent += count
      } else {
        return errno == EAGAIN
      }
    }
    return true
  }
}
