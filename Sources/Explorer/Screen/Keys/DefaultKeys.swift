import ApusExplorerCore
import ApusExplorerTerminal

extension KeyTable {
  /// The default key bindings: those of the commands, and vim's.
  package static let standard = KeyTable(commandBindings + vimBindings)

  private static let commandBindings = Command.all.flatMap { command in
    command.keys.map { assigned in
      KeyBinding(
        assigned.context, assigned.keys.compactMap { KeySequence($0) }, command, footer: assigned.footer,
        help: assigned.help)
    }
  }
}
