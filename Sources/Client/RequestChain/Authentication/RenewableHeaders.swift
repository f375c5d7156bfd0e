import ApusClientNetwork
import Synchronization

/// Header fields of an endpoint with values from a command or a sign-in, which are made again when the server rejects them.
///
/// A set of values has a number. This number is the token of the `Credentials`, which renew a set once, however many
/// requests wait for it.
package final class RenewableHeaders: Sendable {
  /// The field of a sign-in, which the endpoint's request does not have.
  package struct SignInField: Sendable {
    let name: String
    /// Whether the field also replaces one of the request.
    let replacesOthers: Bool
    /// Whether the next request needs another value than this one, the newest.
    let isOutdated: @Sendable (_ newest: String?) -> Bool
    /// Returns the current value, or another one if the server rejected it.
    let value: @Sendable (_ isRejected: Bool) async throws -> String

    package init(
      name: String, replacesOthers: Bool = false, isOutdated: @escaping @Sendable (_ newest: String?) -> Bool,
      value: @escaping @Sendable (_ isRejected: Bool) async throws -> String
    ) {
      self.name = name
      self.replacesOthers = replacesOthers
      self.isOutdated = isOutdated
      self.value = value
    }
  }

  /// The values of the newest set.
  private final class Newest: Sendable {
    private struct State {
      var number = 0
      var fields: [HTTPHeaders.Field]
      var signIn: String?
    }

    private let state: Mutex<State>

    init(_ fields: [HTTPHeaders.Field]) { state = Mutex(State(fields: fields)) }

    var fields: [HTTPHeaders.Field] { state.withLock { $0.fields } }
    var signIn: String? { state.withLock { $0.signIn } }

    /// Replaces the values that are given, and returns the number of the new set.
    func replace(fields: [HTTPHeaders.Field]? = nil, signIn: String? = nil) -> Int {
      state.withLock { state in
        state.number += 1
        state.fields = fields ?? state.fields
        state.signIn = signIn ?? state.signIn
        return state.number
      }
    }
  }

  /// The fields as the endpoint's request has them.
  private let initial: [HTTPHeaders.Field]
  private let newest: Newest
  private let signIn: SignInField?
  let credentials: Credentials

  /// - Parameters:
  ///   - initial: The fields as the endpoint's request has them.
  ///   - signIn: A field that is added to each request that has none of its name.
  ///   - renew: Makes the fields again: the same names in the same order.
  package init(
    _ initial: [HTTPHeaders.Field], signIn: SignInField? = nil,
    renew: @escaping @Sendable () async throws -> [HTTPHeaders.Field]
  ) {
    self.initial = initial
    self.signIn = signIn
    let newest = Newest(initial)
    self.newest = newest
    guard let signIn else {
      credentials = Credentials(token: "0") { _ in String(newest.replace(fields: try await renew())) }
      return
    }
    let isOutdated: @Sendable () -> Bool = { signIn.isOutdated(newest.signIn) }
    credentials = Credentials(token: nil, isExpiring: isOutdated) { rejected in
      guard rejected != nil, !isOutdated() else {
        return String(newest.replace(signIn: try await signIn.value(false)))
      }
      let value = try await signIn.value(true)
      return String(newest.replace(fields: initial.isEmpty ? nil : try await renew(), signIn: value))
    }
  }

  /// Makes the fields again, whether or not the server rejected them.
  ///
  /// - Throws: The errors of `renew` and of the sign-in.
  package func renew() async throws {
    _ = try await credentials.renewed(inPlaceOf: try await credentials.current())
  }

  /// Puts the current values into header fields that do not go through a request chain.
  ///
  /// - Throws: The errors of the sign-in.
  package func authorize(_ headers: inout HTTPHeaders) async throws {
    let needsSignIn = needsSignIn(headers)
    if needsSignIn { _ = try await credentials.current() }
    apply(to: &headers, signingIn: needsSignIn)
  }

  /// The current value of the sign-in's field, with its name; nil without a sign-in.
  ///
  /// - Throws: The errors of the sign-in.
  package func signInField() async throws -> HTTPHeaders.Field? {
    guard let signIn else { return nil }
    _ = try await credentials.current()
    return newest.signIn.map { HTTPHeaders.Field(name: signIn.name, value: $0) }
  }

  /// Whether a request gets the field of the sign-in. One that the user gave takes precedence.
  func needsSignIn(_ headers: HTTPHeaders) -> Bool {
    signIn.map { $0.replacesOthers || headers[$0.name] == nil } ?? false
  }

  /// Whether requests need no values of this endpoint, because the user gave the field of the sign-in.
  func isReplaced(in headers: HTTPHeaders) -> Bool { signIn != nil && initial.isEmpty && !needsSignIn(headers) }

  /// Puts the newest values in the place of the initial ones.
  func apply(to headers: inout HTTPHeaders, signingIn: Bool) {
    if signingIn, let signIn, let value = newest.signIn { headers[signIn.name] = value }
    let newest = newest.fields
    guard newest != initial else { return }
    headers = HTTPHeaders(
      headers.fields.map { field in
        guard let index = initial.firstIndex(of: field), newest.indices.contains(index) else { return field }
        return HTTPHeaders.Field(name: field.name, value: newest[index].value)
      })
  }
}
