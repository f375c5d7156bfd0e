import ApusPlatform
import CApusMicrohttpd
import Dispatch
import Synchronization

/// A loopback HTTP server based on libmicrohttpd with asynchronous, streaming handlers.
///
/// The owner must call `stop` before releasing it. A `deinit` could not do so: the daemon's thread may hold the last
/// reference during a callback, and cannot wait for itself to end.
final class HTTPServer: Sendable {
  enum StartError: Error, CustomStringConvertible {
    case portTaken(Int)
    /// libmicrohttpd cannot be loaded; the value says why and what to install.
    case missingLibrary(String)

    var description: String {
      switch self {
      case .portTaken(let port):
        "Cannot listen on 127.0.0.1:\(port). Another program may use that port: choose another one, or 0 for any."
      case .missingLibrary(let reason): "Cannot serve: \(reason)"
      }
    }
  }

  typealias Handler = @Sendable (ServerRequest) async -> ServerResponse

  private struct State {
    var daemon: DaemonPointer?
    var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
    var sockets: [ObjectIdentifier: UpgradedSocket] = [:]
    var isStopping = false
  }

  private let handler: Handler
  private let outgoingLimit: Int
  private let silenceLimit: UInt32
  private let socketThreads = DispatchGroup()
  private let state = Mutex(State())

  /// - Parameters:
  /// - outgoingLimit: The maximum number of unread bytes of a slow client, after which it is disconnected.
  /// - silenceLimit: The seconds that a client may leave a request incomplete or a connection idle.
  init(outgoingLimit: Int = 64 << 20, silenceLimit: UInt32 = 60, handler: @escaping Handler) {
    self.outgoingLimit = outgoingLimit
    self.silenceLimit = silenceLimit
    self.handler = handler
  }

  func start(port: Int) throws(StartError) -> Int {
    guard let number = UInt16(exactly: port) else { throw .portTaken(port) }
    // Unretained is safe, because the owner's `stop` ends the daemon's thread before this object is released.
    let context = Unmanaged.passUnretained(self).toOpaque()
    guard let daemon = apus_mhd_start(number, silenceLimit, onAccess, onCompleted, context) else {
      throw Self.libraryFailure.map(StartError.missingLibrary) ?? .portTaken(port)
    }
    let bound = Int(apus_mhd_port(daemon))
    let handle = DaemonPointer(pointer: daemon)
    state.withLock { $0.daemon = handle }
    return bound
  }

  /// The reason why libmicrohttpd cannot be loaded, with installation advice; nil if it can.
  static var libraryFailure: String? { apus_mhd_failure().map { String(cString: $0) } }

  static var libraryVersion: String? { MHD_get_version().map { String(cString: $0) } }

  var openExchangeCount: Int { state.withLock { $0.exchanges.count } }

  /// Ends all requests and the daemon's thread. Can be called repeatedly.
  func stop() {
    let exchanges = state.withLock { state in
      state.isStopping = true
      return Array(state.exchanges.values)
    }
    // libmicrohttpd aborts the process if it is stopped with a suspended or upgraded connection.
    for exchange in exchanges { exchange.abort() }
    for socket in state.withLock({ Array($0.sockets.values) }) { socket.close(code: 1001, reason: "Going away") }
    socketThreads.wait()
    let daemon = state.withLock { state in
      defer { state.daemon = nil }
      return state.daemon
    }
    if let daemon { MHD_stop_daemon(daemon.pointer) }
  }

  // MARK: On the daemon's thread

  /// Returns a new exchange; nil if the server is stopping.
  fileprivate func makeExchange() -> HTTPExchange? {
    let exchange = HTTPExchange(outgoingLimit: outgoingLimit)
    return state.withLock { state in
      guard !state.isStopping else { return nil }
      state.exchanges[ObjectIdentifier(exchange)] = exchange
      return exchange
    }
  }

  fileprivate func remove(_ exchange: HTTPExchange, on connection: OpaquePointer?) {
    exchange.completed()
    // The connection may be reused for another request.
    if exchange.isStreamed, let connection { apus_mhd_limit_silence(connection, silenceLimit) }
    state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = nil }
  }

  fileprivate func answer(_ exchange: HTTPExchange, on connection: OpaquePointer, method: String, path: String)
    -> MHD_Result
  {
    if let answer = exchange.takeAnswer() { return queue(answer, of: exchange, on: connection) }
    if exchange.isOver { return .NO }
    var request = ServerRequest(method: method, path: path)
    for (name, value) in values(of: .GET_ARGUMENT_KIND, on: connection) { request.query[name] = value }
    request.headers = values(of: .HEADER_KIND, on: connection)
    if let answer = exchange.begin(request, on: connection, handler: handler) {
      return queue(answer, of: exchange, on: connection)
    }
    return exchange.isOver ? .NO : .YES
  }

  private func queue(_ answer: ServerResponse, of exchange: HTTPExchange, on connection: OpaquePointer) -> MHD_Result {
    let response: OpaquePointer?
    switch answer.body {
    case .bytes(var bytes):
      response = bytes.withUnsafeMutableBytes {
        MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
      }
    case .upgrade(let serve):
      let context = Unmanaged.passRetained(Upgrade(server: self, serve: serve)).toOpaque()
      response = MHD_create_response_for_upgrade(onUpgrade, context)
    case .stream:
      // A slow reader is limited by `outgoingLimit`, not by a timeout.
      apus_mhd_limit_silence(connection, 0)
      let context = Unmanaged.passRetained(exchange).toOpaque()
      response = MHD_create_response_from_callback(UInt64.max, 16384, onRead, context, onFree)
    }
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
    return MHD_queue_response(connection, UInt32(answer.status), response)
  }

  /// Serves an upgraded connection on its own thread.
  fileprivate func serve(_ upgrade: Upgrade, _ descriptor: Int32, first: [UInt8], handle: DaemonPointer) {
    let socket = UpgradedSocket(descriptor: descriptor, outgoingLimit: outgoingLimit)
    let isStopping = state.withLock { state in
      if let socket, !state.isStopping { state.sockets[ObjectIdentifier(socket)] = socket }
      return state.isStopping
    }
    guard let socket, !isStopping else { return apus_mhd_close_upgraded(handle.pointer) }
    socketThreads.enter()
    let finish: @Sendable () -> Void = { [self] in
      apus_mhd_close_upgraded(handle.pointer)
      state.withLock { $0.sockets[ObjectIdentifier(socket)] = nil }
      socketThreads.leave()
    }
    let hasStarted = SystemThread.start {
      upgrade.serve(socket, first)
      finish()
    }
    if !hasStarted { finish() }
  }

  /// The number of open WebSockets.
  var openSocketCount: Int { state.withLock { $0.sockets.count } }

  private func values(of kind: MHD_ValueKind, on connection: OpaquePointer) -> [(name: String, value: String)] {
    var values: [(name: String, value: String)] = []
    withUnsafeMutablePointer(to: &values) { pointer in
      _ = MHD_get_connection_values(
        connection, kind,
        { context, _, name, value in
          if let context, let name {
            context.assumingMemoryBound(to: [(name: String, value: String)].self).pointee
              .append((String(cString: name), value.map { String(cString: $0) } ?? ""))
          }
          return .YES
        }, pointer)
    }
    return values
  }
}

/// The handler of an upgraded connection.
private final class Upgrade: Sendable {
  let server: HTTPServer
  let serve: @Sendable (UpgradedSocket, [UInt8]) -> Void

  init(server: HTTPServer, serve: @escaping @Sendable (UpgradedSocket, [UInt8]) -> Void) {
    self.server = server
    self.serve = serve
  }
}

// MARK: libmicrohttpd's callbacks

private func onAccess(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?, path: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, data: UnsafePointer<CChar>?,
  size: UnsafeMutablePointer<Int>?, requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let connection, let path, let method, let size, let requestContext else { return .NO }
  let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  guard let pointer = requestContext.pointee else {
    guard let exchange = server.makeExchange() else { return .NO }
    requestContext.pointee = Unmanaged.passRetained(exchange).toOpaque()
    return .YES
  }
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
  if size.pointee > 0, let data {
    exchange.receive(UnsafeRawBufferPointer(start: data, count: size.pointee))
    size.pointee = 0
    return .YES
  }
  return server.answer(exchange, on: connection, method: String(cString: method), path: String(cString: path))
}

private func onCompleted(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
  requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
  guard let context, let pointer = requestContext?.pointee else { return }
  requestContext?.pointee = nil
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue()
  Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().remove(exchange, on: connection)
}

private func onRead(
  context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, size: Int
) -> Int {
  guard let context, let buffer else { return apus_mhd_end_of_stream }
  return Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

private func onFree(context: UnsafeMutableRawPointer?) {
  if let context { Unmanaged<HTTPExchange>.fromOpaque(context).release() }
}

private func onUpgrade(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?, requestContext: UnsafeMutableRawPointer?,
  extra: UnsafePointer<CChar>?, extraSize: Int, descriptor: Int32, handle: OpaquePointer?
) {
  guard let context, let handle else { return }
  let upgrade = Unmanaged<Upgrade>.fromOpaque(context).takeRetainedValue()
  let first = UnsafeRawBufferPointer(start: extra, count: extra == nil ? 0 : extraSize)
  upgrade.server.serve(upgrade, descriptor, first: Array(first), handle: DaemonPointer(pointer: handle))
}
