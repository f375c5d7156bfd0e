import ApusClientTraffic

/// The options of `apus tap` that change responses, in the form of `DeliveryRules.init(lines:)`.
enum TapRules {
  static func rules(_ arguments: ParsedArguments) throws(CommandError) -> DeliveryRules {
    var lines = ["delay", "fail", "drop", "for"].flatMap { option in
      arguments.values(option).map { "\(option) \($0)" }
    }
    lines += ["cut-after", "status"].compactMap { option in arguments.value(option).map { "\(option) \($0)" } }
    if arguments.has("hold") { lines.append("hold") }
    do throws(DeliveryRules.LineError) {
      return try DeliveryRules(lines: lines)
    } catch {
      throw .usage("--\(error.reason)", command: "tap")
    }
  }
}
