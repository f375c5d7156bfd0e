import ApusPlatform
import Synchronization

/// A server that responds to each request with a list of up to a million items, either immediately or spread over time
/// like a slow network.
final class ListServer: Sendable {
  static let schema = "type Query { items: [Item!]! }\ntype Item { id: ID! name: String! note: String! }\n"
  static let query = "query Items {\n  items { id name note }\n}\n"

  var port: Int { listener.port }
  /// The time at which the last byte of the last response was passed to the kernel.
  var lastByte: Double { answer.ended.withLock { $0 } }
  private let answer: Answer
  private let listener: LoopbackListener

  init(bytes: Int, seconds: Double) throws {
    let answer = Answer(body: Self.body(bytes), seconds: seconds)
    self.answer = answer
    listener = try LoopbackListener { answer.serve($0) }
  }

  /// Returns a response with items of about 200 bytes, each five lines when formatted.
  static func body(_ bytes: Int) -> [UInt8] {
    var body = Array(#"{"data":{"items":["#.utf8)
    body.reserveCapacity(bytes + 256)
    var number = 0
    while body.count < bytes {
      if number > 0 { body.append(UInt8(ascii: ",")) }
      let name = String(number)
      let zeros = String(repeating: "0", count: max(0, 8 - name.count))
      body += #"{"id":"item-\#(zeros)\#(name)","name":"The item with the number \#(name)","#.utf8
      body +=
        #""note":"A few words on the item, as a list of an interface has them: not long, not short, of no use"}"#.utf8
      number += 1
    }
    return body + "]}}".utf8
  }
}

/// The response to every request.
private final class Answer: Sendable {
  let ended = Mutex(0.0)
  private let body: [UInt8]
  private let seconds: Double

  init(body: [UInt8], seconds: Double) {
    self.body = body
    self.seconds = seconds
  }

  func serve(_ connection: Int32) {
    defer { close(connection) }
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    guard read(connection, &buffer, buffer.count) > 0 else { return }
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n"
    send(connection, Array(head.utf8)[...])
    let piece = 128 << 10
    let pause = seconds * 1e6 * Double(piece) / Double(body.count)
    var place = 0
    while place < body.count {
      send(connection, body[place..<min(place + piece, body.count)])
      place += piece
      if pause > 1 { usleep(UInt32(pause)) }  // simulates the slow network
    }
    ended.withLock { $0 = Cost.now(CLOCK_MONOTONIC) }
    // Waits until the client has read everything and closes the connection.
    while read(connection, &buffer, buffer.count) > 0 {}
  }

  private func send(_ connection: Int32, _ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(connection, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }
}
