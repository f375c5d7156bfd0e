/// Untrusted text: a file of a project, a pasted command, an imported request.
///
/// It cannot be resolved, so nothing in it is executed or expanded. It can be shown, and sent unchanged. The text of a
/// project file that may contain variables is a `ProjectText`.
package struct UntrustedText: Equatable, Sendable {
  package let source: String

  package init(_ source: String) {
    self.source = source
  }

  /// The text without any expansion: every dollar sign is literal.
  package var literal: SecretText { SecretText(literal: source) }
}
