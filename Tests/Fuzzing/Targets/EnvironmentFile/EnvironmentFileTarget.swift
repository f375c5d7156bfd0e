import ApusConfiguration
import FuzzHarness

/// An environment file is parsed, or rejected with one line that repeats nothing from the file. A value that is quoted
/// again parses to the same value.
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
    // A line terminator other than a line feed is not allowed in quotes, and a combining mark would join with a quote.
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
