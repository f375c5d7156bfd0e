/// Completion scripts for bash, zsh and fish, generated from the table of commands.
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

  /// Returns the names for the scripts, one per line. Names with control characters are omitted.
  static func names(of list: NameList) throws(CommandError) -> [String] {
    let names =
      switch list {
      case .themes: ThemeLibrary().entries.map(\.name)
      case .profiles: try NamedEndpoints().names
      }
    return names.filter { name in !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }
  }

  /// Returns the commands of one word.
  private static func named(_ commands: [CommandDescription]) -> [CommandDescription] {
    commands.filter { !$0.name.contains(" ") }
  }

  /// Returns the commands of two words, such as `schema diff`.
  private static func nested(_ commands: [CommandDescription]) -> [CommandDescription] {
    commands.filter { $0.name.contains(" ") }
  }

  /// The first words of commands of two words, with their second words.
  private static func secondWords(_ commands: [CommandDescription]) -> [(first: String, seconds: [String])] {
    let names = nested(commands).map { $0.name.split(separator: " ").map(String.init) }
    return Dictionary(grouping: names, by: { $0[0] }).sorted { $0.key < $1.key }.map {
      ($0.key, $0.value.map { $0[1] })
    }
  }

  /// The functions that the bash script calls. Names come from files, so they are compared here: `compgen` would expand
  /// them.
  private static func bashFunctions(_ commands: [CommandDescription]) -> String {
    let valued = Set(commands.flatMap(\.options).filter { $0.value != .none }.compactMap(\.short)).sorted()
    return #"""
      # bash completion for apus
      # Adds a word. Readline quotes the names of files itself; other words are quoted here, except after a quote.
      _apus_add() {
        local name="$1"
        if [[ -n "$quote" ]]; then
          case "$name" in *[\"\'\\\$\`]*) return 0 ;; esac
        elif [[ -z "$are_files" ]]; then
          name="$(printf %q "$name")"
          # A ~ or a variable at the start was typed.
          case "$word" in \~/* | \$[A-Za-z]*) name="${name#\\}" ;; esac
        fi
        COMPREPLY+=("$name")
      }
      # Adds the names that apus lists.
      _apus_names() {
        local name
        while IFS= read -r name; do
          [[ "$name" == "$word"* ]] && _apus_add "$name"
        done < <(apus completions "$1" 2>/dev/null)
      }
      # Lets readline quote words as names of files.
      _apus_quote_as_files() {
        if [[ -z "$prefix" ]] && compopt -o filenames 2>/dev/null; then are_files=yes; fi
      }
      # Adds file names. A file name with shell syntax must not be run as a command.
      _apus_files() {
        local name
        # Readline itself completes quotes, ~ and variables best. It does so if there is nothing else to complete.
        if [[ -z "$prefix" && ${#COMPREPLY[@]} -eq 0 ]] && compopt -o default 2>/dev/null; then return 0; fi
        _apus_quote_as_files
        while IFS= read -r name; do
          [[ -z "$are_files" && -d "$name" ]] && name+=/
          _apus_add "$name"
        done < <(compgen -f -- "$word")
        [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == */ ]] && compopt -o nospace 2>/dev/null
        return 0
      }
      # Adds the names of files after an @.
      _apus_at() {
        [[ -n "$is_at" || "$word" == @* ]] || return 0
        word="${word#@}"; prefix+=@; _apus_files
      }
      _apus() {
        local word="${COMP_WORDS[COMP_CWORD]}" index=$((COMP_CWORD - 1)) command="${COMP_WORDS[1]}"
        local prefix="" is_at="" are_files="" quote="" before
        # COMP_WORDBREAKS makes words of = and @. Readline keeps the @ with the completed word.
        case "$word" in =) word="" ;; @ | =@) word=""; is_at=yes ;; esac
        case "${COMP_WORDS[index]}" in @ | =@) is_at=yes; index=$((index - 1)) ;; esac
        [[ "${COMP_WORDS[index]}" == = ]] && index=$((index - 1))
        before="${COMP_WORDS[index]}"
        if [[ "$word" == --*=* ]]; then before="${word%%=*}"; word="${word#*=}"; prefix="$before="; fi
        case "$word" in [\"\']*) quote="${word:0:1}"; word="${word:1}" ;; esac
        # -fVALUE
        case "$word" in -[\#(String(valued))]?*) before="${word:0:2}"; word="${word:2}"; prefix="$before" ;; esac
        _apus_complete
        # Repeats the part that bash did not split from the word.
        if [[ -n "$prefix" ]]; then COMPREPLY=("${COMPREPLY[@]/#/$prefix}"); fi
      }
      _apus_complete() {

      """#
  }

  /// Returns the cases that complete the values of options.
  private static func bashOptions(_ commands: [CommandDescription]) -> String {
    var text = ""
    // The explorer's options, which need no command before them, follow those of the commands.
    let ordered = commands.filter { $0.name != "explore" } + commands.filter { $0.name == "explore" }
    for command in ordered {
      let pattern = command.name == "explore" ? "*" : "'\(command.name)'"
      for option in command.options {
        guard let action = bashAction(option) else { continue }
        let names = option.spellings.map { "\(pattern):\($0)" }.joined(separator: " | ")
        text += "    \(names)) \(action); return ;;\n"
      }
    }
    return text
  }

  private static func bash(_ commands: [CommandDescription]) -> String {
    var text =
      bashFunctions(commands) + """
          if [ "$COMP_CWORD" -gt 2 ]; then
            case "$command ${COMP_WORDS[2]}" in
              \(nested(commands).map { "'\($0.name)'" }.joined(separator: " | "))) command+=" ${COMP_WORDS[2]}" ;;
            esac
          fi
          case "$command:$before" in

        """
    text += bashOptions(commands)
    text += """
        esac
        if [ "$COMP_CWORD" -eq 1 ] && [[ "$word" != -* ]]; then
          COMPREPLY=($(compgen -W '\(named(commands).map(\.name).joined(separator: " "))' -- "$word"))
          _apus_names profiles; return
        fi
        if [ "$command" = help ] && [ "$COMP_CWORD" -eq 3 ] && [[ "$word" != -* ]]; then
          case "${COMP_WORDS[2]}" in
      \(secondWords(commands).map { "      \($0)) COMPREPLY=($(compgen -W '\($1.joined(separator: " "))' -- \"$word\")) ;;" }
        .joined(separator: "\n"))
          esac
          return
        fi
        case "$command" in

      """
    for command in commands { text += "    '\(command.name)') \(bashAction(command)) ;;\n" }
    let explore = commands.first { $0.name == "explore" }?.options.flatMap(\.spellings).joined(separator: " ") ?? ""
    text += """
          *) COMPREPLY=($(compgen -W '\(explore)' -- "$word")) ;;
        esac
      }
      complete -F _apus apus

      """
    return text
  }

  /// Returns the bash commands that complete the options and operands of a command.
  private static func bashAction(_ command: CommandDescription) -> String {
    let words = command.operands.flatMap(\.choices) + command.options.flatMap(\.spellings)
    let takesFiles = command.operands.contains(where: \.isFile)
    let files = takesFiles ? "; _apus_files" : ""
    let names = Set(command.operands.compactMap(\.names))
      .map { "; \(takesFiles ? "_apus_quote_as_files; " : "")_apus_names \($0.rawValue)" }.joined()
    return "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\"))\(names)\(files)"
  }

  /// Returns the bash command that completes the value of an option; `nil` for an option without a value.
  private static func bashAction(_ option: OptionDescription) -> String? {
    switch option.value {
    case .none: nil
    case .text: option.value.takesFileAfterAt ? "_apus_at" : "COMPREPLY=()"
    case .file: "_apus_files"
    case .nameOrFile(_, let list): "_apus_quote_as_files; _apus_names \(list.rawValue); _apus_files"
    case .choice(let words): "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\"))"
    }
  }

  private static let zshFunctions = """
    #compdef apus
    _apus_names() {
      local -a names
      names=(${(f)"$(apus completions $1 2>/dev/null)"})
      compadd -a names
    }
    _apus_at() { if compset -P @; then _files; fi }

    """

  private static func zshQuoted(_ text: String) -> String {
    text.replacing("'", with: "'\\''").replacing("[", with: "\\[").replacing("]", with: "\\]")
      .replacing(":", with: "\\:")
  }

  /// Returns the argument of `_arguments` for an option.
  private static func zshOption(_ option: OptionDescription) -> String {
    let action: String
    switch option.value {
    case .none: action = ""
    case .text(let name): action = ":\(zshQuoted(name)):" + (option.value.takesFileAfterAt ? "_apus_at" : "")
    case .file(let name): action = ":\(zshQuoted(name)):_files"
    case .nameOrFile(let name, let list): action = ":\(zshQuoted(name)):{_apus_names \(list.rawValue); _files}"
    case .choice(let words): action = ":choice:(\(words.joined(separator: " ")))"
    }
    // `-f+` and `--file=` accept a value in the same word or in the next.
    let signs = action.isEmpty ? ("", "") : ("+", "=")
    let long = "--\(option.name)\(signs.1)"
    let text = "[\(zshQuoted(option.summary))]\(action)'"
    guard let short = option.short else { return "'\(option.isRepeatable ? "*" : "")\(long)\(text)" }
    let others = option.isRepeatable ? "*" : "(-\(short) --\(option.name))"
    return "'\(others)'{-\(short)\(signs.0),\(long)}'\(text)"
  }

  /// Returns the arguments of `_arguments` for operands. Without them zsh completes nothing after an operand.
  private static func zshOperands(_ command: CommandDescription) -> String {
    let names = command.operands.compactMap(\.names).map { "_apus_names \($0.rawValue)" }.first
    let choices = command.operands.flatMap(\.choices)
    if command.operands.contains(where: \.isFile) {
      let words = choices.isEmpty ? "" : "compadd \(choices.joined(separator: " ")); "
      return (names.map { " '1:file:{\(words)\($0); _files}'" } ?? "") + " '*:file:_files'"
    }
    if let names { return " '1:name:{\(names)}' '*:word:{:}'" }
    if command.name == CommandTable.help.name {
      let second = secondWords(CommandTable.commands).map {
        "[[ $words[2] == \($0) ]] && compadd \($1.joined(separator: " "))"
      }
      return " '1:choice:(\(choices.joined(separator: " ")))' '2:command:{\(second.joined(separator: "; "))}'"
    }
    return (choices.isEmpty ? "" : " '1:choice:(\(choices.joined(separator: " ")))'") + " '*:word:{:}'"
  }

  private static func zsh(_ commands: [CommandDescription]) -> String {
    var text =
      zshFunctions + """
        _apus() {
          local -a commands
          commands=(

        """
    for command in named(commands) { text += "    '\(command.name):\(zshQuoted(command.summary))'\n" }
    text += """
        )
        local name="$words[2]"
        if (( CURRENT == 2 )) && [[ "$name" != -* ]]; then _describe command commands; _apus_names profiles; return; fi
        # The arguments of a command follow its name.
        if (( ${commands[(I)$name:*]} )); then shift words; (( CURRENT-- )); fi
        if (( CURRENT > 2 )); then
          case "$name $words[2]" in
            \(nested(commands).map { "'\($0.name)'" }.joined(separator: " | "))) name+=" $words[2]"; shift words; (( CURRENT-- )) ;;
          esac
        fi
        case "$name" in

      """
    for command in commands {
      let options = command.options.map(zshOption).joined(separator: " ")
      text += "    '\(command.name)') _arguments \(options)\(zshOperands(command)) ;;\n"
    }
    let explore = commands.first { $0.name == "explore" }?.options.map(zshOption).joined(separator: " ") ?? ""
    text += """
          *) _arguments \(explore) '*:URL or profile:{:}' ;;
        esac
      }
      _apus "$@"

      """
    return text
  }

  private static func fishQuoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }

  /// Returns values with their descriptions, for `complete -a`.
  private static func fishValues(_ values: [String], of place: String) -> String {
    values.map { value in
      summary(of: value, in: place).map { "\(value)\\t\"\(fishQuoted($0))\"" } ?? value
    }.joined(separator: " ")
  }

  private static func summary(of value: String, in place: String) -> String? {
    if let summary = ChoiceSummary.of(value, in: place) { return summary }
    guard place == CommandTable.help.name else { return nil }
    return CommandTable.command(value)?.summary ?? HelpTopic.named(value)?.summary
  }

  /// Returns the arguments of `complete` for an option.
  private static func fishOption(_ option: OptionDescription) -> String {
    var arguments = "-l \(option.name)"
    if let short = option.short { arguments += " -s \(short)" }
    switch option.value {
    case .none: break
    case .text: arguments += option.value.takesFileAfterAt ? " -x -a '(__apus_at)'" : " -x"
    case .file: arguments += " -r -F"
    case .nameOrFile(_, let list): arguments += " -r -F -a '(apus completions \(list.rawValue) 2>/dev/null)'"
    case .choice(let words): arguments += " -x -a '\(fishValues(words, of: option.name))'"
    }
    return arguments + " -d '\(fishQuoted(option.summary))'"
  }

  private static func fish(_ commands: [CommandDescription]) -> String {
    var text = """
      # fish completion for apus
      function __apus_at
        set -l token (string replace -r '^-[^=]*=' '' -- (commandline -ct) | string replace -r '^["\\']' '')
        string match -q '@*' -- $token; or return
        # fish does not expand ~ inside a word, but apus does.
        set -l home (string trim -rc / -- $HOME)
        set -l path (string replace -- '@~/' "@$home/" $token | string sub -s 2)
        for name in (__fish_complete_path $path)
          if string match -q '@~/*' -- $token; set name (string replace -- $home/ '~/' $name); end
          echo "@$name"
        end
      end

      """
    for command in named(commands) {
      text += "complete -c apus -f -n __fish_use_subcommand -a \(command.name) -d '\(fishQuoted(command.summary))'\n"
    }
    let names = named(commands).map(\.name).filter { $0 != "explore" }.joined(separator: " ")
    for (first, seconds) in secondWords(commands) {
      let condition = "__fish_seen_subcommand_from help; and __fish_seen_subcommand_from \(first)"
      text += "complete -c apus -n '\(condition)' -f -a '\(fishValues(seconds, of: first))'\n"
    }
    for command in commands {
      let condition =
        switch command.name {
        case "explore": "not __fish_seen_subcommand_from \(names)"
        case "help": "__fish_seen_subcommand_from help; and test (count (commandline -opc)) -eq 2"
        default:
          "not __fish_seen_subcommand_from help; and "
            + command.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
        }
      for option in command.options {
        text += "complete -c apus -n '\(condition)' \(fishOption(option))\n"
      }
      let choices = command.operands.flatMap(\.choices)
      let names = Set(command.operands.compactMap(\.names))
        .map { " -a '(apus completions \($0.rawValue) 2>/dev/null)'" }.joined()
      if command.operands.contains(where: \.isFile) {
        let words = choices.isEmpty ? "" : " -a '\(fishValues(choices, of: command.name))'"
        text += "complete -c apus -n '\(condition)' -F\(names)\(words)\n"
      } else {
        let words = choices.isEmpty ? names : " -a '\(fishValues(choices, of: command.name))'"
        text += "complete -c apus -n '\(condition)' -f\(words)\n"
      }
    }
    return text
  }
}

extension OptionDescription {
  /// `--file` and, if the option has a short form, `-f`.
  fileprivate var spellings: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }
}
