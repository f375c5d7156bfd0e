import FuzzHarness

@testable import ApusFilters

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a filtering child answers is a message or the end.
@main enum FilterAnswerTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    var sockets: [Int32] = [-1, -1]
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, type, 0, &sockets) == 0 else { fatalError("no sockets") }
    defer { close(sockets[0]) }
    let sent = bytes.withUnsafeBytes { write(sockets[1], $0.baseAddress, $0.count) }
    close(sockets[1])
    guard sent == bytes.count else { return }
    var taken = 0
    while let message = FilterMessage.receive(from: sockets[0]) { taken += 9 + message.bytes.count }
    expect(taken <= bytes.count, "more was taken than was sent")
  }
}
