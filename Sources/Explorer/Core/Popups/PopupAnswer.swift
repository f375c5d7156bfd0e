/// A popup's response to a key, a click or typed text: whether it closes, whether the input goes to the layer below,
/// and follow-ups for features.
package struct PopupAnswer: Equatable, Sendable {
  package private(set) var closes: Bool
  /// Whether the input goes to the layer below.
  package private(set) var passesOn: Bool
  package private(set) var followUps: [FollowUp]

  /// Keeps the popup open.
  static func stay(_ followUps: FollowUp...) -> PopupAnswer { stay(followUps) }
  static func stay(_ followUps: [FollowUp]) -> PopupAnswer {
    PopupAnswer(closes: false, passesOn: false, followUps: followUps)
  }

  static func close(_ followUps: FollowUp...) -> PopupAnswer { close(followUps) }
  static func close(_ followUps: [FollowUp]) -> PopupAnswer {
    PopupAnswer(closes: true, passesOn: false, followUps: followUps)
  }

  /// The popup does not handle the input.
  static let passOn = PopupAnswer(closes: false, passesOn: true, followUps: [])
  static let closeAndPassOn = PopupAnswer(closes: true, passesOn: true, followUps: [])
}
