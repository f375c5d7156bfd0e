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

  private static func named(_ commands: [CommandDescription]) -> [CommandDescription] {
    commands.filter { $0.name != "explore" }
  }

  private static func bash(_ commands: [CommandDescription]) -> String {
    var text = """
      # bash completion for apus
      _apus() {
        local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"
        case "$command:$before" in

      """
    for command in commands {
      for option in command.options {
        let action: String
        switch option.value {
        case .none: continue
        case .text: action = "COMPREPLY=()"
        case .file: action = "COMPREPLY=($(compgen -f -- \"$word\"))"
        case .choice(let words): action = "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\"))"
        }
        let pattern = command.name == "explore" ? "*" : command.name
        text += "    \(pattern):--\(option.name)) \(action); return ;;\n"
      }
    }
    text += """
        esac
        if [ "$COMP_CWORD" -eq 1 ] && [[ "$word" != -* ]]; then
          COMPREPLY=($(compgen -W '\(named(commands).map(\.name).joined(separator: " "))' -- "$word")); return
        fi
        case "$command" in

      """
    for command in commands {
      let words = command.operands.flatMap(\.choices) + command.options.map { "--\($0.name)" }
      let files = command.operands.contains(where: \.isFile) ? " $(compgen -f -- \"$word\")" : ""
      let pattern = command.name == "explore" ? "*" : command.name
      if pattern == "*" { continue }
      text += "    \(pattern)) COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\")\(files)) ;;\n"
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
      case .choice(let words): action = ":choice:(\(words.joined(separator: " ")))"
      }
      return "'\(option.isRepeatable ? "*" : "")--\(option.name)[\(quoted(option.summary))]\(action)'"
    }
    // What is no option must be named too, else zsh completes nothing behind it.
    func operands(_ command: CommandDescription) -> String {
      if command.operands.contains(where: \.isFile) { return " '*:file:_files'" }
      let choices = command.operands.flatMap(\.choices)
      return (choices.isEmpty ? "" : " '1:choice:(\(choices.joined(separator: " ")))'") + " '*:word:{:}'"
    }
    var text = """
      #compdef apus
      _apus() {
        local -a commands
        commands=(

      """
    for command in named(commands) { text += "    '\(command.name):\(quoted(command.summary))'\n" }
    text += """
        )
        local name="$words[2]"
        if (( CURRENT == 2 )) && [[ "$name" != -* ]]; then _describe command commands; return; fi
        # A command's own words begin behind its name.
        if (( ${commands[(I)$name:*]} )); then shift words; (( CURRENT-- )); fi
        case "$name" in

      """
    for command in commands {
      let pattern = command.name == "explore" ? "*" : command.name
      if pattern == "*" { continue }
      let options = command.options.map(specification).joined(separator: " ")
      text += "    \(pattern)) _arguments \(options)\(operands(command)) ;;\n"
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
    let names = named(commands).map(\.name).joined(separator: " ")
    for command in commands {
      let condition =
        command.name == "explore"
        ? "not __fish_seen_subcommand_from \(names)" : "__fish_seen_subcommand_from \(command.name)"
      for option in command.options {
        var line = "complete -c apus -n '\(condition)' -l \(option.name)"
        if let short = option.short { line += " -s \(short)" }
        switch option.value {
        case .none: break
        case .text: line += " -x"
        case .file: line += " -r -F"
        case .choice(let words): line += " -x -a '\(words.joined(separator: " "))'"
        }
        text += line + " -d '\(quoted(option.summary))'\n"
      }
      let choices = command.operands.flatMap(\.choices)
      if command.operands.contains(where: \.isFile) {
        text += "complete -c apus -n '\(condition)' -F\n"
      } else {
        let words = choices.isEmpty ? "" : " -a '\(choices.joined(separator: " "))'"
        text += "complete -c apus -n '\(condition)' -f\(words)\n"
      }
    }
    return text
  }
}
