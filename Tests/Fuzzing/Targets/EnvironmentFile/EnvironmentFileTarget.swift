import ApusConfiguration
import FuzzHarness

/// A file of variables is read, or refused in one line that repeats nothing of it; a value that is quoted again is read as
/// the same.
@main enum EnvironmentFileTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let file: EnvironmentFile
    do throws(ConfigurationError) {
      file = try EnvironmentFile(parsing: text, file: ".env")
    } catch {
      expect("\(error)".hasSuffix(": this is not NAME=value"), "\(error)")
      return
    }
    // A line end that is no line feed cannot stand in quotes, and a mark would join a quote.
    let isPlain = file.variables.allSatisfy { variable in
      variable.value.unicodeScalars.allSatisfy { $0.isASCII && ($0.value > 0x1F || $0 == "\n" || $0 == "\t") }
    }
    guard isPlain else { return }
    let quoted = file.variables.map { variable -> String in
      let value = variable.value.map { character -> String in
        switch character {
        case "\\", "\"": "\\\(character)"
        case "\n": "\\n"
        default: String(character)
        }
      }
      return "\(variable.name)=\"\(value.joined())\""
    }
    let again = try? EnvironmentFile(parsing: quoted.joined(separator: "\n"), file: ".env")
    expect(again == file, "\(file.variables) became \(again?.variables ?? [])")
  }
}
