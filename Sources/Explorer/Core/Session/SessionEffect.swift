/// Work for the earlier sessions of an endpoint.
package enum SessionEffect: Equatable, Sendable {
  case list
  /// Reads the session with an identity from the list.
  case open(String)

  private enum Key { case sessions }

  var work: EffectWork {
    switch self {
    case .list: .start(Key.sessions) { $1(.session(.listed(await $0.sessions.list()))) }
    case .open(let id):
      .start(Key.sessions) { environment, send in
        let session = await environment.sessions.open(id)
        send(session.map { .session(.opened($0)) } ?? .operationFailed("The session cannot be read"))
      }
    }
  }
}

package enum SessionAction: Equatable, Sendable {
  case listed([PickerItem])
  case opened(SavedSession)
}

/// Access to the earlier sessions of the session's endpoint.
package struct SessionEnvironment: Sendable {
  /// Returns the sessions that no explorer uses, the last used one first.
  package var list: @Sendable () async -> [PickerItem] = { [] }
  package var open: @Sendable (String) async -> SavedSession? = { _ in nil }

  package init() {}
}
