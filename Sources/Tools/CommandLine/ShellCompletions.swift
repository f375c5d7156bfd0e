/// Completion scripts for bash, zsh and fish, drawn from the table of commands.
enum ShellCompletions {
  static let shells = ["bash", "zsh", "fish"]

  static func script(for shell: String, commands: [CommandDescription]) -> String? {
    switch shell {
    case "bash": bash(commands)
    case "zsh": zsh(commands)
    case "fish": fish(commands)
    default: nil
    }
  }

  /// What the scripts ask for, a line each; a name that is no line is left out.
  static func names(of list: NameList) throws(CommandFailure) -> [String] {
    let names =
      switch list {
      case .themes: ThemeLibrary().entries.map(\.name)
      case .profiles: try KnownEndpoints().names
      }
    return names.filter { name in !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }
  }

  /// Those that a first word may be.
  private static func named(_ commands: [CommandDescription]) -> [CommandDescription] {
    commands.filter { !$0.name.contains(" ") }
  }

  /// Those of two words, as `schema diff`.
  private static func nested(_ commands: [CommandDescription]) -> [CommandDescription] {
    commands.filter { $0.name.contains(" ") }
  }

  private static func bash(_ commands: [CommandDescription]) -> String {
    var text = """
      # bash completion for apus
      # Adds the names that apus lists. They come from files, so they are compared here: compgen would expand them.
      _apus_names() {
        local name
        while IFS= read -r name; do
          [[ "$name" == "$word"* ]] && COMPREPLY+=("$(printf %q "$name")")
        done < <(apus completions "$1" 2>/dev/null)
      }
      # Adds the names of files, quoted: one that holds a command must be no command on the line.
      _apus_files() {
        local name
        while IFS= read -r name; do
          [[ -d "$name" ]] && name+=/
          COMPREPLY+=("$(printf %q "$name")")
        done < <(compgen -f -- "$word")
        [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == */ ]] && compopt -o nospace 2>/dev/null
        return 0
      }
      _apus() {
        local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"
        if [ "$COMP_CWORD" -gt 2 ]; then
          case "$command ${COMP_WORDS[2]}" in
            \(nested(commands).map { "'\($0.name)'" }.joined(separator: " | "))) command+=" ${COMP_WORDS[2]}" ;;
          esac
        fi
        case "$command:$before" in

      """
    // The explorer's options, which stand for themselves without a command, come behind those of the commands.
    let ordered = commands.filter { $0.name != "explore" } + commands.filter { $0.name == "explore" }
    for command in ordered {
      for option in command.options {
        let action: String
        switch option.value {
        case .none: continue
        case .text: action = "COMPREPLY=()"
        case .file: action = "_apus_files"
        case .nameOrFile(_, let list):
          action = "_apus_files; _apus_names \(list.rawValue)"
        case .choice(let words): action = "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\"))"
        }
        let pattern = command.name == "explore" ? "*" : "'\(command.name)'"
        text += "    \(pattern):--\(option.name)) \(action); return ;;\n"
      }
    }
    text += """
        esac
        if [ "$COMP_CWORD" -eq 1 ] && [[ "$word" != -* ]]; then
          COMPREPLY=($(compgen -W '\(named(commands).map(\.name).joined(separator: " "))' -- "$word"))
          _apus_names profiles; return
        fi
        case "$command" in

      """
    for command in commands {
      let words = command.operands.flatMap(\.choices) + command.options.map { "--\($0.name)" }
      let files = command.operands.contains(where: \.isFile) ? "; _apus_files" : ""
      let names = Set(command.operands.compactMap(\.names)).map { "; _apus_names \($0.rawValue)" }.joined()
      let listed = words.joined(separator: " ")
      text += "    '\(command.name)') COMPREPLY=($(compgen -W '\(listed)' -- \"$word\"))\(files)\(names) ;;\n"
    }
    let explore = commands.first { $0.name == "explore" }?.options.map { "--\($0.name)" }.joined(separator: " ") ?? ""
    text += """
          *) COMPREPLY=($(compgen -W '\(explore)' -- "$word")) ;;
        esac
      }
      complete -o default -F _apus apus

      """
    return text
  }

  private static func zsh(_ commands: [CommandDescription]) -> String {
    func quoted(_ text: String) -> String {
      text.replacing("'", with: "'\\''").replacing("[", with: "\\[").replacing("]", with: "\\]")
        .replacing(":", with: "\\:")
    }
    func specification(_ option: OptionDescription) -> String {
      let action: String
      switch option.value {
      case .none: action = ""
      case .text(let name): action = ":\(quoted(name)):"
      case .file(let name): action = ":\(quoted(name)):_files"
      case .nameOrFile(let name, let list): action = ":\(quoted(name)):{_apus_names \(list.rawValue); _files}"
      case .choice(let words): action = ":choice:(\(words.joined(separator: " ")))"
      }
      return "'\(option.isRepeatable ? "*" : "")--\(option.name)[\(quoted(option.summary))]\(action)'"
    }
    // What is no option must be named too, else zsh completes nothing behind it.
    func operands(_ command: CommandDescription) -> String {
      let names = command.operands.compactMap(\.names).map { "_apus_names \($0.rawValue)" }.first
      let choices = command.operands.flatMap(\.choices)
      if command.operands.contains(where: \.isFile) {
        let words = choices.isEmpty ? "" : "compadd \(choices.joined(separator: " ")); "
        return (names.map { " '1:file:{\(words)\($0); _files}'" } ?? "") + " '*:file:_files'"
      }
      if let names { return " '1:name:{\(names)}' '*:word:{:}'" }
      return (choices.isEmpty ? "" : " '1:choice:(\(choices.joined(separator: " ")))'") + " '*:word:{:}'"
    }
    var text = """
      #compdef apus
      _apus_names() {
        local -a names
        names=(${(f)"$(apus completions $1 2>/dev/null)"})
        compadd -a names
      }
      _apus() {
        local -a commands
        commands=(

      """
    for command in named(commands) { text += "    '\(command.name):\(quoted(command.summary))'\n" }
    text += """
        )
        local name="$words[2]"
        if (( CURRENT == 2 )) && [[ "$name" != -* ]]; then _describe command commands; _apus_names profiles; return; fi
        # A command's own words begin behind its name.
        if (( ${commands[(I)$name:*]} )); then shift words; (( CURRENT-- )); fi
        if (( CURRENT > 2 )); then
          case "$name $words[2]" in
            \(nested(commands).map { "'\($0.name)'" }.joined(separator: " | "))) name+=" $words[2]"; shift words; (( CURRENT-- )) ;;
          esac
        fi
        case "$name" in

      """
    for command in commands {
      let options = command.options.map(specification).joined(separator: " ")
      text += "    '\(command.name)') _arguments \(options)\(operands(command)) ;;\n"
    }
    let explore = commands.first { $0.name == "explore" }?.options.map(specification).joined(separator: " ") ?? ""
    text += """
          *) _arguments \(explore) '*:URL or profile:{:}' ;;
        esac
      }
      _apus "$@"

      """
    return text
  }

  private static func fish(_ commands: [CommandDescription]) -> String {
    func quoted(_ text: String) -> String { text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") }
    var text = "# fish completion for apus\n"
    for command in named(commands) {
      text += "complete -c apus -f -n __fish_use_subcommand -a \(command.name) -d '\(quoted(command.summary))'\n"
    }
    let names = named(commands).map(\.name).filter { $0 != "explore" }.joined(separator: " ")
    for command in commands {
      let condition =
        command.name == "explore"
        ? "not __fish_seen_subcommand_from \(names)"
        : command.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
      for option in command.options {
        var line = "complete -c apus -n '\(condition)' -l \(option.name)"
        if let short = option.short { line += " -s \(short)" }
        switch option.value {
        case .none: break
        case .text: line += " -x"
        case .file: line += " -r -F"
        case .nameOrFile(_, let list): line += " -r -F -a '(apus completions \(list.rawValue) 2>/dev/null)'"
        case .choice(let words): line += " -x -a '\(words.joined(separator: " "))'"
        }
        text += line + " -d '\(quoted(option.summary))'\n"
      }
      let choices = command.operands.flatMap(\.choices)
      let names = Set(command.operands.compactMap(\.names))
        .map { " -a '(apus completions \($0.rawValue) 2>/dev/null)'" }.joined()
      if command.operands.contains(where: \.isFile) {
        let words = choices.isEmpty ? "" : " -a '\(choices.joined(separator: " "))'"
        text += "complete -c apus -n '\(condition)' -F\(names)\(words)\n"
      } else {
        let words = choices.isEmpty ? names : " -a '\(choices.joined(separator: " "))'"
        text += "complete -c apus -n '\(condition)' -f\(words)\n"
      }
    }
    return text
  }
}
