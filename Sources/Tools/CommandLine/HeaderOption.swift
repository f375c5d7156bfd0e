import ApusASCII
import ApusSecrets

/// The fields of one `--header` option.
///
/// | value | field |
/// |---|---|
/// | `Name: text` | unchanged |
/// | `Name: $NAME`, `Name: ${NAME}` | with the variable's value; without one, a usage error |
/// | `Name: $$NAME` | `$NAME` |
/// | `Name: $5`, `Name: $(command)` | unchanged, because neither is a reference to a variable |
/// | `@FILE` | the lines of the file, unchanged, without empty lines and `#` comments |
struct HeaderOption {
  struct Field {
    let name: String
    let value: String
    /// Whether the value has variables of the environment.
    let isLive: Bool
  }

  let fields: [Field]

  /// - Parameter filled: Replaces the `{{references}}` in a value. Values of the environment are not searched for them.
  init(
    _ text: String, _ arguments: ParsedArguments,
    _ filled: (String) throws(CommandError) -> String = { (text) throws(CommandError) in text }
  ) throws(CommandError) {
    if text.hasPrefix("@") {
      fields = try Self.fields(inFile: String(text.dropFirst()), arguments, filled)
      return
    }
    // The value may be a secret, so the message does not repeat it.
    guard let (name, value) = Self.split(text[...]) else {
      throw .usage("--header takes 'Name: value' or @FILE", command: arguments.command.name)
    }
    fields = [try Self.resolved(name, value, arguments, filled)]
  }

  private static func fields(
    inFile file: String, _ arguments: ParsedArguments, _ filled: (String) throws(CommandError) -> String
  ) throws(CommandError) -> [Field] {
    let text = String(decoding: try LocalFile.read(file), as: UTF8.self)
    var fields: [Field] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      guard let first = line.first(where: { !$0.isWhitespace }), first != "#" else { continue }
      guard let (name, value) = split(line) else {
        throw .usage("\(file):\(index + 1): not a header: write 'Name: value'", command: arguments.command.name)
      }
      fields.append(Field(name: name, value: try filled(value), isLive: false))
    }
    return fields
  }

  /// Replaces the variables of a typed value. Commands are not run.
  private static func resolved(
    _ name: String, _ value: String, _ arguments: ParsedArguments, _ filled: (String) throws(CommandError) -> String
  ) throws(CommandError) -> Field {
    guard let typed = try? SecretText(value), typed.commands.isEmpty else {
      return Field(name: name, value: try filled(value), isLive: false)
    }
    let text = SecretText(
      parts: try typed.parts.map { (part) throws(CommandError) -> SecretText.Part in
        guard case .text(let plain) = part else { return part }
        return .text(try filled(plain))
      })
    do throws(SecretTextError) {
      return Field(name: name, value: try text.resolved(environment: arguments.environment), isLive: text.isLive)
    } catch {
      throw .unresolved("--header \(name)", error, command: arguments.command.name)
    }
  }

  private static func split(_ line: Substring) -> (name: String, value: String)? {
    // Compare Unicode scalars, because the value may begin with a combining mark.
    guard let colon = line.unicodeScalars.firstIndex(of: ":") else { return nil }
    let name = String(line[..<colon].trimming(while: \.isWhitespace))
    let value = Substring(line.unicodeScalars[colon...].dropFirst())
    return name.isEmpty ? nil : (name, String(value.trimming(while: \.isWhitespace)))
  }
}
