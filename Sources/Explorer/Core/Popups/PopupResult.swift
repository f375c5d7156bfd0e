/// A popup's response to a key, a click or typed text: whether it closes, whether the input goes to the layer below,
/// and follow-ups for features.
package struct PopupResult: Equatable, Sendable {
  package private(set) var closes: Bool
  /// Whether the input goes to the layer below.
  package private(set) var passesOn: Bool
  package private(set) var followUps: [FollowUp]

  /// Keeps the popup open.
  static func stay(_ followUps: FollowUp...) -> PopupResult { stay(followUps) }
  static func stay(_ followUps: [FollowUp]) -> PopupResult {
    PopupResult(closes: false, passesOn: false, followUps: followUps)
  }

  static func close(_ followUps: FollowUp...) -> PopupResult { close(followUps) }
  static func close(_ followUps: [FollowUp]) -> PopupResult {
    PopupResult(closes: true, passesOn: false, followUps: followUps)
  }

  /// The popup does not handle the input.
  static let passOn = PopupResult(closes: false, passesOn: true, followUps: [])
  static let closeAndPassOn = PopupResult(closes: true, passesOn: true, followUps: [])
}
