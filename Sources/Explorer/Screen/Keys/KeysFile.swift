import ApusConfiguration
import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// The settings in `keys.yml`: the key map and changed key bindings.
///
///     keymap: vim
///     bindings:
///       everywhere:
///         Ctrl-T: newTab
///         F9: runOperation
///       query:
///         Alt-f: none
///       vimNormal:
///         g r: formatDocument
package struct KeysFile: Sendable {
  package var usesVim = false
  package private(set) var changes: [Change] = []
  /// The ignored lines, with reasons.
  package private(set) var problems: [ConfigurationError] = []
  /// The lines that apply, but not where text is typed.
  package private(set) var notes: [ConfigurationError] = []

  package struct Change: Sendable {
    let context: KeyContext
    let keys: KeySequence
    /// The new target; nil unbinds the key.
    let target: KeyTarget?
  }

  package init() {}

  /// Reads `keys.yml`; without the file, the default keys apply. A line with a mistake is ignored and reported in
  /// `problems`.
  ///
  /// - Throws: An error if the file must not be used: another user owns it or can write to it.
  package static func load(from folders: UserFolders = UserFolders()) throws(ConfigurationError) -> KeysFile {
    guard let bytes = try UserFile.readOwn(folders.keysFile) else { return KeysFile() }
    var file = KeysFile()
    file.noting { (file) throws(ConfigurationError) in
      file = KeysFile(try YAMLParser.parse(bytes, file: folders.keysFile))
    }
    return file
  }

  /// Creates the settings from the file and ignores lines with mistakes.
  package init(_ root: YAMLNode) {
    if root.isNull { return }
    noting { (_) throws(ConfigurationError) in try root.allow(keys: ["keymap", "bindings"], in: "keys.yml") }
    noting { (file) throws(ConfigurationError) in
      guard let keymap = root["keymap"] else { return }
      switch try keymap.string("keymap") {
      case "vim": file.usesVim = true
      case "default": file.usesVim = false
      default: throw keymap.error("keymap must be default or vim")
      }
    }
    var sections: [YAMLNode.Member] = []
    noting { (_) throws(ConfigurationError) in sections = try root["bindings"]?.members("bindings") ?? [] }
    for section in sections {
      noting { (file) throws(ConfigurationError) in try file.add(section, of: root.file) }
    }
  }

  /// Reads a part of the file and records its mistake, if any.
  private mutating func noting(_ body: (inout KeysFile) throws(ConfigurationError) -> Void) {
    do throws(ConfigurationError) {
      try body(&self)
    } catch {
      problems.append(error)
    }
  }

  private mutating func add(_ section: YAMLNode.Member, of file: String) throws(ConfigurationError) {
    guard let context = KeyContext(rawValue: section.key) else {
      throw ConfigurationError(
        file: file, at: section.keyPosition,
        "there is no context '\(section.key)'\(Self.suggestion(section.key, KeyContext.allCases.map(\.rawValue)))")
    }
    if section.value.isNull { return }
    for binding in try section.value.members("the context \(section.key)") {
      noting { (keysFile) throws(ConfigurationError) in
        guard let keys = KeySequence(binding.key) else {
          throw ConfigurationError(
            file: file, at: binding.keyPosition,
            "'\(binding.key)' is not a key; write keys as F5, Ctrl-R, Alt-n, Shift-F6 or g g")
        }
        let name = try binding.value.string("the command of \(binding.key)")
        let target = try Self.target(name, context, binding)
        let replacesText = target != nil && context.isTyped && keys.presses.first?.typed != nil
        // In insert mode, only a sequence of keys is distinct from text.
        let isSequence = context == .vimInsert && keys.presses.count > 1
        if context != .vimInsert || isSequence || !replacesText {
          keysFile.changes.append(Change(context: context, keys: keys, target: target))
        }
        if replacesText, !isSequence {
          keysFile.notes.append(
            ConfigurationError(
              file: file, at: binding.keyPosition,
              "'\(binding.key)' begins with a character, so it has no effect where text is typed; use a key such as F9 or Ctrl-K"
            ))
        }
      }
    }
  }

  private static func target(
    _ name: String, _ context: KeyContext, _ binding: YAMLNode.Member
  ) throws(ConfigurationError) -> KeyTarget? {
    if name == "none" { return nil }
    if context.isVim, let key = VimKey(rawValue: name) { return .vim(key) }
    if let command = Command.named(name) { return .command(command) }
    let valid = Command.all.map(\.name) + (context.isVim ? VimKey.allCases.map(\.rawValue) : [])
    throw binding.value.error("\(binding.key): there is no command '\(name)'\(suggestion(name, valid))")
  }

  /// Returns a suggestion for a misspelled name.
  private static func suggestion(_ wrong: String, _ valid: [String]) -> String {
    MisspelledName.hint(wrong, valid) ?? "; 'apus help keys' lists them"
  }
}

extension KeyTable {
  /// Returns the table with the user's changes, for input, help and footer alike.
  package func applying(_ file: KeysFile) -> KeyTable {
    guard !file.changes.isEmpty else { return self }
    var bindings = bindings
    for change in file.changes {
      bindings = bindings.compactMap { $0.context == change.context ? $0.without(change.keys) : $0 }
      guard let target = change.target else { continue }
      for start in change.keys.starts {
        bindings = bindings.compactMap { change.hides(start, of: $0, file.changes) ? $0.without(start) : $0 }
      }
      if let index = bindings.firstIndex(where: { $0.context == change.context && $0.target == target }) {
        bindings[index] = bindings[index].with(change.keys)
      } else {
        bindings.append(KeyBinding(change.context, [change.keys], target: target))
      }
    }
    return KeyTable(bindings)
  }
}

extension KeySequence {
  /// The sequences that this one begins with.
  fileprivate var starts: [KeySequence] {
    (1..<max(1, presses.count)).map { KeySequence(Array(presses.prefix($0))) }
  }
}

extension KeysFile.Change {
  /// Whether the sequence replaces a shorter default key, which would end it: in the same context and, if it works
  /// everywhere, in the panes. A key that the user binds in a pane stays.
  fileprivate func hides(_ start: KeySequence, of binding: KeyBinding, _ changes: [KeysFile.Change]) -> Bool {
    guard binding.context == context || (context == .everywhere && binding.context.isOfPanes) else { return false }
    return !changes.contains { $0.context == binding.context && $0.keys == start && $0.target != nil }
  }
}
