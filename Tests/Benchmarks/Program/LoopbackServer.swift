import ApusPlatform

/// A minimal server for client benchmarks, with a thread for each connection and one fixed response.
///
/// `/chunks` returns a thousand chunks, one per millisecond, each with the time at which it was written; `/stream`
/// returns the same times as the items of a stream.
final class LoopbackServer: Sendable {
  var port: Int { listener.port }
  private let listener: LoopbackListener

  init() throws {
    listener = try LoopbackListener(Self.serve)
  }

  @Sendable private static func serve(_ connection: Int32) {
    var yes: Int32 = 1
    setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    let json = "{\"data\":{\"a\":1}}"
    let answer = Array(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)".utf8)
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      // A small request arrives in one piece.
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { break }
      if buffer.starts(with: Array("GET /chunks".utf8)) {
        sendChunks(connection)
      } else if buffer.starts(with: Array("POST /stream".utf8)) {
        sendStream(connection)
      } else {
        send(connection, answer)
      }
    }
    close(connection)
  }

  private static func sendChunks(_ connection: Int32) {
    send(connection, Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
    for _ in 0..<1000 {
      usleep(1000)
      sendChunk("\(nanoseconds())", connection)
    }
    send(connection, Array("0\r\n\r\n".utf8))
  }

  private static func sendStream(_ connection: Int32) {
    let type = "multipart/mixed;boundary=\"-\";deferSpec=20220824"
    send(
      connection, Array("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
    let header = "Content-Type: application/json\r\n\r\n"
    sendChunk("---\r\n\(header){\"data\":{\"list\":[]},\"hasNext\":true}\r\n---", connection)
    for index in 0..<1000 {
      usleep(1000)
      let items = "{\"items\":[\(nanoseconds())],\"path\":[\"list\",\(index)]}"
      let isLast = index == 999
      sendChunk(
        "\r\n\(header){\"incremental\":[\(items)],\"hasNext\":\(!isLast)}\r\n---\(isLast ? "--\r\n" : "")", connection)
    }
    send(connection, Array("0\r\n\r\n".utf8))
  }

  private static func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  private static func sendChunk(_ text: String, _ connection: Int32) {
    send(connection, Array("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n".utf8))
  }

  private static func send(_ connection: Int32, _ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
  }
}
