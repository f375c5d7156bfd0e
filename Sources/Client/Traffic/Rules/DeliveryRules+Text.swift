import ApusASCII
import ApusAlgorithms

/// The text of rules: options of `apus tap`, and lines of the explorer's list of rules, where the two dashes may be left out.
///
/// | line | effect |
/// |---|---|
/// | `delay 2s` | each payload 2 seconds later |
/// | `delay label=reviews:500ms` | the payloads of this fragment or stream |
/// | `delay field=Product.price:1s`, `delay field=price:1s` | the payloads with this field |
/// | `fail label=reviews` | an error in place of the fragment |
/// | `drop label=reviews` | the fragment never arrives |
/// | `cut-after 2` | the connection breaks after two payloads |
/// | `status 503` | this status, with an error, in place of the server's response |
/// | `hold` | each payload waits until the user releases it |
/// | `for Birds` | all of these only for the operations of this name; several lines name several operations |
/// | `--delay 2s`, `--delay=2s` | as without the dashes |
/// | an empty line | none |
/// | any other line; a second `cut-after` or `status`; `for` alone | an error |
extension DeliveryRules {
  /// A line that is not a rule.
  package struct LineError: Error, Equatable {
    /// The index of the line.
    package let line: Int
    /// The expected text, beginning with the name of the option: "`delay takes a time, as in 2s`".
    package let reason: String
  }

  /// The reason why a line is not a rule.
  private struct Malformed: Error {
    let reason: String
  }

  private static let names = ["delay", "fail", "drop", "cut-after", "status", "hold"]

  /// Parses one rule in each line.
  package init(lines: [String]) throws(LineError) {
    self.init()
    for (index, line) in lines.enumerated() {
      do throws(Malformed) {
        try add(line)
      } catch {
        throw LineError(line: index, reason: error.reason)
      }
    }
    guard operations.isEmpty || !isEmpty else {
      let index = lines.lastIndex { Self.option(of: $0).name == "for" }
      throw LineError(line: index ?? 0, reason: "for restricts other rules: add \(Self.alternatives(Self.names))")
    }
  }

  /// The rules without the dashes. Parsing them returns the same rules.
  package var lines: [String] {
    rules.map { String($0.text.dropFirst(2)) }
      + [cutAfter.map { "cut-after \($0)" }, status.map { "status \($0)" }, holds ? "hold" : nil].compactMap(\.self)
      + operations.sorted().map { "for \($0)" }
  }

  private static func alternatives(_ names: [String]) -> String {
    names.dropLast().joined(separator: ", ") + " or \(names.last ?? "")"
  }

  /// Returns the name and the value of a line: "`delay`" and "`2s`" of "`--delay 2s`".
  private static func option(of line: String) -> (name: String, value: String) {
    let text = line.utf8.trimming { $0 == 0x20 || $0 == 0x09 }
    let bare = text.starts(with: "--".utf8) ? text.dropFirst(2) : text
    let name = bare.prefix { $0 != 0x20 && $0 != 0x09 && $0 != UInt8(ascii: "=") }
    var value = bare.dropFirst(name.count)
    if value.first == UInt8(ascii: "=") { value.removeFirst() }
    return (String(Substring(name)), String(Substring(value.trimming { $0 == 0x20 || $0 == 0x09 })))
  }

  private mutating func add(_ line: String) throws(Malformed) {
    guard !line.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return }
    let (name, value) = Self.option(of: line)
    let text = "--\(name) \(value)"
    switch name {
    case "delay":
      guard let (selector, delay) = Self.delay(value) else {
        throw Malformed(reason: "delay takes a time, as in 2s, label=reviews:500ms or field=Product.price:1s")
      }
      rules.append(.init(selector, .delay(delay), text: text))
    case "fail", "drop":
      guard let selector = Self.selector(value[...]), case .label = selector else {
        throw Malformed(reason: "\(name) takes the label of a fragment or stream, as in label=reviews")
      }
      rules.append(.init(selector, name == "fail" ? .fail : .drop, text: text))
    case "cut-after":
      guard let count = Self.number(value), count > 0 else {
        throw Malformed(reason: "cut-after takes a number of one or more")
      }
      guard cutAfter == nil else { throw Malformed(reason: "cut-after can be used once") }
      cutAfter = count
    case "status":
      guard let code = Self.number(value), (200..<600).contains(code) else {
        throw Malformed(reason: "status takes a status from 200 to 599")
      }
      guard status == nil else { throw Malformed(reason: "status can be used once") }
      status = code
    case "hold":
      guard value.isEmpty else { throw Malformed(reason: "hold takes no value") }
      holds = true
    case "for":
      guard Self.isName(value[...]) else { throw Malformed(reason: "for takes the name of an operation, as in Birds") }
      operations.insert(value)
    default: throw Malformed(reason: "a rule begins with \(Self.alternatives(Self.names + ["for"]))")
    }
  }

  // MARK: Values

  /// Returns the payloads and the delay of "`2s`" or "`label=reviews:2s`".
  private static func delay(_ text: String) -> (Selector, Duration)? {
    guard let colon = text.lastIndex(of: ":") else { return duration(text[...]).map { (.everyPayload, $0) } }
    guard let selector = selector(text[..<colon]), let delay = duration(text[colon...].dropFirst()) else { return nil }
    return (selector, delay)
  }

  private static func selector(_ text: Substring) -> Selector? {
    let words = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, !words[1].isEmpty else { return nil }
    switch words[0] {
    case "label": return .label(String(words[1]))
    case "field":
      let names = words[1].split(separator: ".", omittingEmptySubsequences: false)
      guard let name = names.last, names.count <= 2, names.allSatisfy(isName) else { return nil }
      return .field(type: names.count == 2 ? String(names[0]) : nil, name: String(name))
    default: return nil
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    text.utf8.first?.isNameStart == true && text.utf8.allSatisfy(\.isNameByte)
  }

  private static func number(_ text: String) -> Int? { text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil }

  /// Returns a time: "`500ms`", "`2s`", "`1.5s`", of at most a day.
  private static func duration(_ text: Substring) -> Duration? {
    let (number, unit) = text.hasSuffix("ms") ? (text.dropLast(2), 0.001) : (text.dropLast(), 1)
    guard text.hasSuffix("s"), number.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }),
      let value = Double(number), value * unit <= 86_400
    else { return nil }
    return .milliseconds(Int((value * unit * 1000).rounded()))
  }
}
