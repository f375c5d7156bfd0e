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
  /// The lines with retired names, which still apply, each with the present name.
  package private(set) var retirements: [ConfigurationError] = []

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
    let name = present(section.key, RetiredNames.contexts, of: file, at: section.keyPosition)
    guard let context = KeyContext(rawValue: name) else {
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
        let target = try keysFile.target(name, context, binding)
        keysFile.changes.append(Change(context: context, keys: keys, target: target))
      }
    }
  }

  /// Returns the present name of a command or context, and records a retired one.
  private mutating func present(
    _ name: String, _ names: [String: String], of file: String, at position: YAMLPosition
  ) -> String {
    guard let present = names[name] else { return name }
    retirements.append(
      ConfigurationError(file: file, at: position, "'\(name)' is a retired name; write '\(present)'"))
    return present
  }

  private mutating func target(
    _ name: String, _ context: KeyContext, _ binding: YAMLNode.Member
  ) throws(ConfigurationError) -> KeyTarget? {
    if name == "none" { return nil }
    if context.isVim, let key = VimKey(rawValue: name) { return .vim(key) }
    let present = present(name, RetiredNames.commands, of: binding.value.file, at: binding.value.position)
    if let command = Command.named(present) { return .command(command) }
    let valid = Command.all.map(\.name) + (context.isVim ? VimKey.allCases.map(\.rawValue) : [])
    throw binding.value.error("\(binding.key): there is no command '\(name)'\(Self.suggestion(name, valid))")
  }

  /// Returns a suggestion for a misspelled name.
  private static func suggestion(_ wrong: String, _ valid: [String]) -> String {
    let near = valid.map { (name: $0, distance: distance(wrong.lowercased(), $0.lowercased())) }
      .min { $0.distance < $1.distance }
    guard let near, near.distance <= max(2, wrong.count / 4) else { return "; 'apus help keys' lists them" }
    return "; did you mean \(near.name)?"
  }

  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var row = Array(0...right.count)
    for (i, character) in left.enumerated() {
      var previous = row[0]
      row[0] = i + 1
      for (j, other) in right.enumerated() {
        let substituted = previous + (character == other ? 0 : 1)
        previous = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, previous + 1)
      }
    }
    return row[right.count]
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
      if let index = bindings.firstIndex(where: { $0.context == change.context && $0.target == target }) {
        bindings[index] = bindings[index].with(change.keys)
      } else {
        bindings.append(KeyBinding(change.context, [change.keys], target: target))
      }
    }
    return KeyTable(bindings)
  }
}
