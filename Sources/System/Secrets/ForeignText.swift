/// Text that somebody else wrote: a file of a project, a command that was pasted, a request that was imported.
///
/// It has no `resolved`: nothing in it is run or filled in. What it says can be shown and sent as it stands. To take a
/// value of the environment into it, it must first be allowed by the trust that the person put into its file
/// (`FileTrust`), and a command in it is refused even then.
package struct ForeignText: Equatable, Sendable {
  /// As it was written.
  package let source: String

  package init(_ source: String) {
    self.source = source
  }

  /// The text as just what it says: every dollar sign in it is one.
  package var literal: SecretText { SecretText(literal: source) }

  /// Whether it would take something from outside.
  package var asksForValues: Bool { source.contains("$") }
}
