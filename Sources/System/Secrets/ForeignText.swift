/// Text that somebody else wrote: a file of a project, a command that was pasted, a request that was imported.
///
/// It has no `resolved`: nothing in it is run or filled in. It can be shown, and sent unchanged. The text of a
/// project's file, which may name variables, is a `ProjectText`.
package struct ForeignText: Equatable, Sendable {
  /// As it was written.
  package let source: String

  package init(_ source: String) {
    self.source = source
  }

  /// The text as just what it says: every dollar sign in it is one.
  package var literal: SecretText { SecretText(literal: source) }
}
