import ApusClientNetwork
import ApusClientTraffic
import ApusPlatform
import ApusSecrets
import Dispatch
import Synchronization

/// A loopback HTTP/1.1 server that sends each request on to one server and its response back, as the bytes arrive, and
/// reports both.
///
/// Each connection of an application has a separate thread and a separate connection to the server. So the application sees the
/// same as directly: a server that closes a connection, is slow, or breaks off; and the server sees an application that
/// closes its connection, or reads slowly.
package final class Relay: Sendable {
  package enum StartError: Error, CustomStringConvertible {
    case portTaken(Int)
    case system(String)

    package var description: String {
      switch self {
      case .portTaken(let port):
        "cannot listen on 127.0.0.1:\(port); another program may use that port: choose another one, or 0 for any"
      case .system(let reason): "cannot listen on 127.0.0.1: \(reason)"
      }
    }
  }

  /// A request that was not forwarded, or a connection that was not accepted.
  package struct Refusal: Sendable, Equatable {
    /// The status of the response.
    package let status: Int
    /// The reason, as one line.
    package let reason: String
  }

  package let port: Int
  private let stopping: (read: Int32, write: Int32)
  private let isStopped = Mutex(false)
  /// Entered by the listener and by each connection.
  private let connections = DispatchGroup()

  /// Starts a relay.
  ///
  /// - Parameters:
  ///   - server: The URL whose origin gets the requests, with connection options and the time limit of a connection.
  ///   - port: The port; 0 for a free one.
  ///   - origins: The origins of pages that may use the server, in the form of `PageOrigin`, beside those of this machine.
  ///   - control: The rules that change responses, and the release of payloads that wait.
  ///   - firstRequestLimit: The time until the first request of a connection has arrived.
  ///   - refused: Gets each request that is not forwarded.
  ///   - observe: Gets the facts of each exchange in order, after their bytes were sent on. While it blocks, the connection of the
  ///     exchange waits.
  package init(
    to server: HTTPRequest, port: Int = 0, origins: Set<String> = [], control: DeliveryControl = DeliveryControl(),
    firstRequestLimit: Duration = .seconds(60), refused: @escaping @Sendable (Refusal) -> Void,
    observe: @escaping @Sendable (TrafficEvent) -> Void
  ) throws {
    guard let origin = Origin(url: server.url) else {
      throw NetworkError.badURL(url: server.redactedURL, reason: "it has no host")
    }
    try ServerConnection.loadLibrary()
    guard let stopping = FileDescriptor.pipe() else { throw StartError.system(String(cString: strerror(errno))) }
    self.stopping = stopping
    let reserve = DescriptorReserve()
    let listener: RelayListener
    do throws(StartError) {
      listener = try RelayListener(port: port, stopping: stopping.read, reserve: reserve, refused: refused)
    } catch {
      for end in [stopping.read, stopping.write] { close(end) }
      throw error
    }
    self.port = listener.port
    let context = RelayContext(
      server: server, origin: origin, access: RelayAccess(server: origin, origins: origins), control: control,
      firstRequestLimit: firstRequestLimit, stopping: stopping.read, reserve: reserve, refused: refused,
      observe: observe)
    let connections = connections
    connections.enter()
    let hasStarted = SystemThread.start {
      listener.run(connections) { RelayConnection($0, context).run() }
      connections.leave()
    }
    guard hasStarted else {
      connections.leave()
      throw StartError.system("no thread can be started")
    }
  }

  deinit {
    stop()
    close(stopping.write)
  }

  /// Waits until all connections are closed and their last facts were reported, but not longer than a limit. Blocks the thread.
  package func waitUntilStopped(limit: Duration) {
    _ = connections.wait(timeout: .now() + limit / .seconds(1))
  }

  /// Begins to close all connections and the port. Can be called repeatedly.
  package func stop() {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    // Readable for every thread that polls it.
    if isFirst { _ = FileDescriptor.writeAll([0], to: stopping.write) }
  }
}

/// The parts that all connections of a relay share.
final class RelayContext: Sendable {
  let server: HTTPRequest
  let origin: Origin
  let access: RelayAccess
  let control: DeliveryControl
  let firstRequestLimit: Duration
  /// Readable when the relay stops.
  let stopping: Int32
  let reserve: DescriptorReserve
  let refused: @Sendable (Relay.Refusal) -> Void
  let observe: @Sendable (TrafficEvent) -> Void
  private let exchangeCount = Atomic(0)

  init(
    server: HTTPRequest, origin: Origin, access: RelayAccess, control: DeliveryControl,
    firstRequestLimit: Duration, stopping: Int32, reserve: DescriptorReserve,
    refused: @escaping @Sendable (Relay.Refusal) -> Void, observe: @escaping @Sendable (TrafficEvent) -> Void
  ) {
    (self.server, self.origin, self.access, self.control, self.stopping) = (server, origin, access, control, stopping)
    self.firstRequestLimit = firstRequestLimit
    (self.reserve, self.refused, self.observe) = (reserve, refused, observe)
  }

  /// The `Host` for the server.
  var host: String { String(origin.description.dropFirst(origin.scheme.count + 3)) }

  /// Returns the number of a new exchange.
  func nextExchange() -> Int { exchangeCount.wrappingAdd(1, ordering: .relaxed).newValue }
}
