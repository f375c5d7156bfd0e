import ApusClientAuthentication
import ApusExplorerCore

/// Signing in to the endpoint and out of it.
extension LiveEnvironment {
  func signIn(_ send: @escaping ExplorerEnvironment.Send) async {
    guard let signIn = endpoint.signIn else {
      return send(.signIn(.failed("This endpoint's credentials need no sign-in")))
    }
    do {
      let message = try await signIn { step in if !Task.isCancelled { send(.signIn(.shown(step))) } }
      if !Task.isCancelled { send(.signIn(.completed(message))) }
    } catch {
      // A user who cancels needs no message.
      if !Task.isCancelled { send(.signIn(.failed("\(error)"))) }
    }
  }

  func signOut(_ send: ExplorerEnvironment.Send) async {
    guard let signOut = endpoint.signOut else {
      return send(.signIn(.failed("This endpoint's credentials need no sign-in")))
    }
    do {
      send(.signIn(.signedOut(try await signOut())))
    } catch {
      send(.signIn(.failed("\(error)")))
    }
  }

  /// Requests a sign-in if a request failed for lack of one.
  func requestSignIn(after error: (any Error)?, _ send: ExplorerEnvironment.Send) {
    guard endpoint.signIn != nil, let error = error as? SignInError, error.needsUser else { return }
    send(.signIn(.needed))
  }
}
