import ApusASCII
import ApusClientTraffic

/// The options of `apus tap` that change responses.
///
/// | option | effect |
/// |---|---|
/// | `--delay 2s` | each payload 2 seconds later |
/// | `--delay label=reviews:500ms` | the payloads of this fragment or stream |
/// | `--delay field=Product.price:1s`, `--delay field=price:1s` | the payloads with this field |
/// | `--fail label=reviews` | an error in place of the fragment |
/// | `--drop label=reviews` | the fragment never arrives |
/// | `--cut-after 2` | the connection breaks after two payloads |
/// | `--status 503` | this status, with an error, in place of the server's response |
/// | `--hold` | each payload waits until the user releases it |
/// | `--for Birds` | only for the operations of this name |
enum TapRules {
  static func rules(_ arguments: ParsedArguments) throws(CommandError) -> DeliveryRules {
    var rules = DeliveryRules()
    for text in arguments.values("delay") {
      let words = text.split(separator: ":", omittingEmptySubsequences: false)
      let selector = words.count == 1 ? .everyPayload : words.count == 2 ? selector(words[0]) : nil
      guard let selector, let last = words.last, let delay = duration(last) else {
        throw .usage("--delay takes a time, as in 2s, label=reviews:500ms or field=Product.price:1s", command: "tap")
      }
      rules.rules.append(.init(selector, .delay(delay), text: "--delay \(text)"))
    }
    for (option, action) in [("fail", DeliveryRules.Action.fail), ("drop", .drop)] {
      for text in arguments.values(option) {
        guard case .label? = selector(text[...]) else {
          throw .usage("--\(option) takes the label of a fragment or stream, as in label=reviews", command: "tap")
        }
        if let selector = selector(text[...]) {
          rules.rules.append(.init(selector, action, text: "--\(option) \(text)"))
        }
      }
    }
    if let count = try arguments.count("cut-after") {
      guard count > 0 else { throw .usage("--cut-after takes a number of one or more", command: "tap") }
      rules.cutAfter = count
    }
    if let status = try arguments.count("status") {
      guard (200..<600).contains(status) else {
        throw .usage("--status takes a status from 200 to 599", command: "tap")
      }
      rules.status = status
    }
    rules.holds = arguments.has("hold")
    rules.operations = Set(arguments.values("for"))
    guard rules.operations.isEmpty || !rules.isEmpty else {
      throw .usage("--for needs --delay, --fail, --drop, --cut-after, --status or --hold", command: "tap")
    }
    return rules
  }

  private static func selector(_ text: Substring) -> DeliveryRules.Selector? {
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

  /// Returns a time: "`500ms`", "`2s`", "`1.5s`", of at most a day.
  private static func duration(_ text: Substring) -> Duration? {
    let (number, unit) = text.hasSuffix("ms") ? (text.dropLast(2), 0.001) : (text.dropLast(), 1)
    guard text.hasSuffix("s"), number.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }),
      let value = Double(number), value * unit <= 86_400
    else { return nil }
    return .milliseconds(Int((value * unit * 1000).rounded()))
  }
}
