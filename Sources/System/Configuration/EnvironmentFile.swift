import ApusPlatform

/// A file of variables, a line `NAME=value` each, as `.env` files are written: a value may stand in quotes, `export` before
/// the name, and a comment behind `#`. Nothing in it is resolved or run.
package struct EnvironmentFile: Equatable, Sendable {
  package struct Variable: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  package let variables: [Variable]

  package init(parsing text: String, file: String) throws(ConfigurationError) {
    var variables: [Variable] = []
    // The byte order mark of some editors is no part of the first name.
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      var rest = line.drop(while: \.isWhitespace)
      if rest.isEmpty || rest.hasPrefix("#") { continue }
      if rest.hasPrefix("export ") { rest = rest.dropFirst(7).drop(while: \.isWhitespace) }
      let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      rest = rest.dropFirst(name.count).drop(while: \.isWhitespace)
      guard !name.isEmpty, name.first?.isNumber == false, rest.hasPrefix("="),
        let value = Self.value(rest.dropFirst().drop(while: \.isWhitespace))
      else {
        // The line may hold a secret: it is not repeated.
        throw ConfigurationError(file: file, at: YAMLPosition(line: index + 1, column: 1), "this is not NAME=value")
      }
      variables.append(Variable(name: String(name), value: value))
    }
    self.variables = variables
  }

  /// The value without its quotes, or up to its comment; nil when a quote is not closed, or more stands behind it.
  private static func value(_ text: Substring) -> String? {
    guard let quote = text.first, quote == "\"" || quote == "'" else {
      let comment = text.firstRange(of: " #")?.lowerBound ?? text.endIndex
      var value = text[..<comment]
      while value.last?.isWhitespace == true { value.removeLast() }
      return String(value)
    }
    var value = ""
    var rest = text.dropFirst()
    while let character = rest.popFirst() {
      if character == quote {
        let behind = rest.drop(while: \.isWhitespace)
        return behind.isEmpty || behind.hasPrefix("#") ? value : nil
      }
      // As shells have it: in double quotes a backslash keeps what is behind it.
      if character == "\\", quote == "\"", let next = rest.popFirst() {
        value.append(next == "n" ? "\n" : next)
      } else {
        value.append(character)
      }
    }
    return nil
  }

  /// Reads a file; nil if there is none.
  package static func read(_ path: String) throws(ConfigurationError) -> EnvironmentFile? {
    guard let bytes = try UserFile.read(path) else { return nil }
    return try EnvironmentFile(parsing: String(decoding: bytes, as: UTF8.self), file: path)
  }

  /// Which programs are started, from where, with what in them: the person's shell says that, never a file of values.
  private static let names: Set<String> = [
    "EDITOR", "VISUAL", "BROWSER", "PAGER", "APUS_PAGER", "SHELL", "PATH", "HOME", "IFS", "ENV", "BASH_ENV", "LESSOPEN",
    "LESSCLOSE", "LESS", "PYTHONSTARTUP", "PYTHONPATH", "NODE_OPTIONS", "PERL5OPT", "RUBYOPT", "TMPDIR", "TERMINFO",
    "TERMINFO_DIRS", "GCONV_PATH", "LOCPATH", "NLSPATH", "CURL_HOME", "KRB5_CONFIG", "JQ_LIBRARY_PATH",
  ]
  /// Those of OpenSSL name modules, and files that take down the keys of connections or say whom to trust.
  private static let prefixes = [
    "LD_", "DYLD_", "GIT_", "XDG_", "SWIFT_", "OPENSSL_", "SSL", "PKCS11_", "P11_", "GLIBC_", "MALLOC_",
  ]

  /// Whether a variable says what is started or loaded, so that a file may not set it.
  package static func isRefused(_ name: String) -> Bool {
    names.contains(name) || prefixes.contains { name.hasPrefix($0) }
  }

  /// Gives this process the variables that it does not have: what the person's shell says stands. Before anything else
  /// runs in the process, and before `ProcessEnvironment` is read. What says which programs are started is left out.
  package func apply() {
    for variable in variables where !Self.isRefused(variable.name) { setenv(variable.name, variable.value, 0) }
  }
}
