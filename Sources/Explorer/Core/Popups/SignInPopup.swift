/// The dialog of a sign-in: the page to open, the code to enter there, and the time left. Closing it cancels the sign-in.
package struct SignInPopup: PopupContent {
  package let endpoint: EndpointID
  package var step: SignInStep

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.signIn, .everywhere] }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    switch command {
    case .popupClose: return .close(.effect(.at(endpoint, .endpoint(.cancelSignIn))), .notice("Sign-in canceled"))
    case .openSignInPage: return step.page.isEmpty ? .stay() : .stay(.effect(.reading(.openLink(step.page))))
    case .copySignInPage: return step.page.isEmpty ? .stay() : .stay(.copy(step.page))
    default: return .passOn
    }
  }

  /// Text that the user types while the dialog appears goes to the editor below.
  package mutating func type(_ text: String, in state: ExplorerState) -> PopupResult { .passOn }
}
