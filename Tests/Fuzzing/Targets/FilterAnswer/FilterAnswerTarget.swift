import ApusPlatform
import FuzzHarness

@testable import ApusFilters

/// The output of a filter process is a message or the end.
@main enum FilterAnswerTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    guard let (socket, other) = FileDescriptor.socketPair() else { fatalError("no sockets") }
    defer { close(socket) }
    let sent = bytes.withUnsafeBytes { FileDescriptor.write($0, to: other) }
    close(other)
    guard sent == bytes.count else { return }
    var taken = 0
    while let message = FilterMessage.receive(from: socket) { taken += 9 + message.bytes.count }
    expect(taken <= bytes.count, "more was read than was sent")
  }
}
