/// Parses the terminal's responses to queries of its capabilities, after the `?`: `2026;2$y`, `1u`, `62;22c`.
enum TerminalResponseParser {
  static func answer(_ parameters: ArraySlice<UInt8>, final: UInt8) -> TerminalResponse? {
    switch final {
    case 0x75: return ControlKeys.numbers(parameters).map { .keyboardFlags($0.first ?? 0) }
    case 0x63: return ControlKeys.numbers(parameters).map { _ in .attributes }
    case 0x79 where parameters.last == 0x24:
      // Both numbers are required.
      guard let numbers = ControlKeys.numbers(parameters.dropLast()), numbers.count == 2,
        parameters.dropLast().split(separator: 0x3B).count == 2
      else { return nil }
      return .mode(numbers[0], setting: numbers[1])
    case 0x6E:
      // CSI ? 997 ; 1 n for a dark scheme, 2 for a light one.
      guard let numbers = ControlKeys.numbers(parameters), numbers.count == 2, numbers[0] == 997,
        numbers[1] == 1 || numbers[1] == 2
      else { return nil }
      return .colorScheme(isDark: numbers[1] == 1)
    default: return nil
    }
  }
}
