/// What a popup answers to a key, a click or what is typed: whether it stays, whether the key is meant for what lies beneath
/// it, and what it wants of the rooms.
package struct PopupAnswer: Equatable, Sendable {
  package private(set) var closes: Bool
  /// Whether what was asked is for whatever lies beneath.
  package private(set) var passesOn: Bool
  package private(set) var followUps: [FollowUp]

  /// It stays, changed or not.
  static func stay(_ followUps: FollowUp...) -> PopupAnswer { stay(followUps) }
  static func stay(_ followUps: [FollowUp]) -> PopupAnswer {
    PopupAnswer(closes: false, passesOn: false, followUps: followUps)
  }

  static func close(_ followUps: FollowUp...) -> PopupAnswer { close(followUps) }
  static func close(_ followUps: [FollowUp]) -> PopupAnswer {
    PopupAnswer(closes: true, passesOn: false, followUps: followUps)
  }

  /// It is none of its own.
  static let passOn = PopupAnswer(closes: false, passesOn: true, followUps: [])
  static let closeAndPassOn = PopupAnswer(closes: true, passesOn: true, followUps: [])
}
