import ApusClientNetwork
import Synchronization

/// Header fields of an endpoint with values from a command, which is run again when the server rejects them.
///
/// A set of values has a number. This number is the token of the `Credentials`, which renew a set once, however many
/// requests wait for it.
package final class RenewableHeaders: Sendable {
  /// The values of the newest set.
  private final class Newest: Sendable {
    private let state: Mutex<(number: Int, fields: [HTTPHeaders.Field])>

    init(_ fields: [HTTPHeaders.Field]) { state = Mutex((0, fields)) }

    var fields: [HTTPHeaders.Field] { state.withLock { $0.fields } }

    /// Replaces the set, and returns the number of the new one.
    func replace(with fields: [HTTPHeaders.Field]) -> Int {
      state.withLock { state in
        state = (state.number + 1, fields)
        return state.number
      }
    }
  }

  /// The fields as the endpoint's request has them.
  private let initial: [HTTPHeaders.Field]
  private let newest: Newest
  let credentials: Credentials

  /// - Parameters:
  ///   - initial: The fields as the endpoint's request has them.
  ///   - renew: Makes the fields again: the same names in the same order.
  package init(
    _ initial: [HTTPHeaders.Field], renew: @escaping @Sendable () async throws -> [HTTPHeaders.Field]
  ) {
    self.initial = initial
    let newest = Newest(initial)
    self.newest = newest
    credentials = Credentials(token: "0") { _ in String(newest.replace(with: try await renew())) }
  }

  /// Makes the fields again, whether or not the server rejected them.
  ///
  /// - Throws: What `renew` throws.
  package func renew() async throws {
    _ = try await credentials.renewed(inPlaceOf: try await credentials.current())
  }

  /// Puts the newest values in the place of the initial ones.
  func apply(to headers: inout HTTPHeaders) {
    let newest = newest.fields
    guard newest != initial else { return }
    headers = HTTPHeaders(
      headers.fields.map { field in
        guard let index = initial.firstIndex(of: field), newest.indices.contains(index) else { return field }
        return HTTPHeaders.Field(name: field.name, value: newest[index].value)
      })
  }
}
