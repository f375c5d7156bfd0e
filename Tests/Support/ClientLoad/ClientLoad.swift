import Apus
import ApusGraphQLLanguage
import ApusPlatform
import Synchronization

/// Puts a load on one client and releases it: 200 concurrent deferred requests and 100 subscriptions, every other one
/// of which is left after its first result. Prints the process's resources before and after.
///
/// A separate process, so that the counts are not affected by others.
///
///     ApusClientLoad URL                 the load above
///     ApusClientLoad fetch COUNT URL     concurrent queries; prints how many were answered
///     ApusClientLoad exhaust URL         one query without free descriptors; prints its error
@main
enum ClientLoad {
  static func main() async throws {
    let words = CommandLine.arguments
    switch words[1] {
    case "fetch": return try await fetch(Int(words[2]) ?? 0, words[3])
    case "exhaust": return try await exhaust(words[2])
    default: break
    }
    let url = words[1]
    // Allocates everything that the runtime and the libraries create once.
    try await settle(load(url, requests: 4, subscriptions: 4))
    let before = Usage()
    let requests = try await load(url, requests: 200, subscriptions: 100)
    try await settle(requests)
    print("descriptors \(before.descriptorCount) \(Usage().descriptorCount)")
    print("network threads \(before.networkThreadCount) \(Usage().networkThreadCount)")
    print("requests \(requests.liveCount) of \(requests.count)")
    print("results \(requests.resultCount)")
  }

  private static func fetch(_ count: Int, _ url: String) async throws {
    let client = GraphQLClient(url: url)
    let query = try operation("{ a }")
    let errors: [String] = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<count {
        group.addTask {
          do {
            _ = try await client.fetch(query)
            return nil
          } catch {
            return "\(error)"
          }
        }
      }
      return await group.reduce(into: []) { errors, error in if let error { errors.append(error) } }
    }
    print("\(count - errors.count) of \(count)")
    for error in Set(errors) { print(error) }
  }

  private static func exhaust(_ url: String) async throws {
    let client = GraphQLClient(url: url)
    let query = try operation("{ a }")
    // Initializes the runtime and the libraries. The other client has no connection to reuse.
    _ = try? await client.fetch(DynamicOperation(compiled: query.compiled))
    let other = GraphQLClient(url: url)
    while open("/dev/null", O_RDONLY) >= 0 {}
    do {
      _ = try await other.fetch(query)
      print("answered")
    } catch {
      print(error)
    }
  }

  /// Waits until the thread has ended and canceled tasks have returned.
  private static func settle(_ requests: LiveRequests) async throws {
    let limit = ContinuousClock.now + .seconds(20)
    // The system does not report the end of threads and descriptors, so this polls. It sleeps at least once, because
    // sleeping opens descriptors that stay.
    repeat {
      try await Task.sleep(for: .milliseconds(2))
    } while (Usage().networkThreadCount > 0 || requests.liveCount > 0) && ContinuousClock.now < limit
  }

  private static func load(_ url: String, requests: Int, subscriptions: Int) async throws -> LiveRequests {
    let live = LiveRequests()
    let client = GraphQLClient(url: url)
    let query = try operation("{ author(id: \"1\") { id name ... @defer { biography } } }")
    let subscription = try operation("subscription { count(to: 3) }")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<(requests + subscriptions) {
        group.addTask {
          var options = RequestOptions(cachePolicy: .networkOnly)
          options.monitor = live.monitor()
          let results =
            index < requests
            ? client.fetch(query: query, options: options)
            : client.subscribe(subscription: subscription, options: options)
          for try await _ in results {
            live.countResult()
            if index % 2 == 0 { break }
          }
        }
      }
      try await group.waitForAll()
    }
    return live
  }

  private static func operation(_ text: String) throws -> DynamicOperation {
    DynamicOperation(compiled: try CompiledOperation.compile(Document(parsing: text)))
  }
}

/// The system resources of the process.
struct Usage {
  let descriptorCount: Int
  let networkThreadCount: Int

  init() {
    // Reading the folder opens one descriptor.
    descriptorCount = Self.names(in: "/proc/self/fd").count - 1
    networkThreadCount =
      Self.names(in: "/proc/self/task").filter { Self.text("/proc/self/task/\($0)/comm") == "apus-network\n" }.count
  }

  private static func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

/// The requests that are still retained by a chain, a task or a stream.
final class LiveRequests: Sendable {
  private struct Weak: Sendable {
    weak var monitor: RequestMonitor?
  }

  private let monitors = Mutex<[Weak]>([])
  private let results = Atomic(0)

  var count: Int { monitors.withLock { $0.count } }
  var liveCount: Int { monitors.withLock { $0.count { $0.monitor != nil } } }
  var resultCount: Int { results.load(ordering: .relaxed) }

  func monitor() -> RequestMonitor {
    let monitor = RequestMonitor()
    monitors.withLock { $0.append(Weak(monitor: monitor)) }
    return monitor
  }

  func countResult() { results.add(1, ordering: .relaxed) }
}
