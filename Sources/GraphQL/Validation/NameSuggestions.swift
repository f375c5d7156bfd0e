import ApusASCII
import ApusAlgorithms

/// Suggestions of similar names for an unknown name, as in the reference implementation.
package enum NameSuggestions {
  /// The maximum number of suggestions.
  static let maximum = 5

  /// Returns ` Did you mean "a", "b", or "c"?`, or an empty string.
  static func didYouMean(_ names: [String], _ introduction: String = "") -> String {
    guard !names.isEmpty else { return "" }
    let quoted = names.prefix(maximum).map { "\"\($0)\"" }
    let list: String
    switch quoted.count {
    case 1: list = quoted[0]
    case 2: list = "\(quoted[0]) or \(quoted[1])"
    default: list = quoted.dropLast().joined(separator: ", ") + ", or " + (quoted.last ?? "")
    }
    return " Did you mean \(introduction.isEmpty ? "" : introduction + " ")\(list)?"
  }

  /// Returns `; did you mean name?` for an error message of the program itself, or an empty string.
  package static func hint(_ input: String, _ options: [String]) -> String {
    (completion(of: input, options) ?? slip(of: input, options)).map { "; did you mean \($0)?" } ?? ""
  }

  /// Returns the only option that the input abbreviates: `--early-execution` for `--early`.
  private static func completion(of input: String, _ options: [String]) -> String? {
    let completions = options.filter { $0.lowercased().hasPrefix(input.lowercased()) }
    return completions.count == 1 && input.contains(where: \.isLetter) ? completions[0] : nil
  }

  /// Returns the option of which the input is probably a misspelling, with at most one edit per four characters.
  package static func slip(of input: String, _ options: [String]) -> String? {
    near(input, options, within: max(1, input.utf16.count / 4)).first
  }

  /// Returns the options with a sufficiently small distance, nearest first.
  static func near(_ input: String, _ options: [String]) -> [String] {
    near(input, options, within: input.utf16.count * 2 / 5 + 1)
  }

  private static func near(_ input: String, _ options: [String], within threshold: Int) -> [String] {
    let distance = EditDistance(input)
    var found: [(option: String, distance: Int)] = []
    var seen = Set<String>()
    for option in options where seen.insert(option).inserted {
      if let value = distance.measure(option, threshold) { found.append((option, value)) }
    }
    found.sort { $0.distance == $1.distance ? isNaturallyLess($0.option, $1.option) : $0.distance < $1.distance }
    return found.map(\.option)
  }

  /// Compares strings in natural order: sequences of digits by their value, so that `a9` is before `a10`.
  static func isNaturallyLess(_ left: String, _ right: String) -> Bool {
    let left = Array(left.utf8)
    let right = Array(right.utf8)
    var first = 0
    var second = 0
    while first < left.count, second < right.count {
      if left[first].isDigit, right[second].isDigit {
        let one = digits(left, &first)
        let other = digits(right, &second)
        if one.count != other.count { return one.count < other.count }
        if one != other { return one.lexicographicallyPrecedes(other) }
      } else {
        if left[first] != right[second] { return left[first] < right[second] }
        first += 1
        second += 1
      }
    }
    return left.count - first < right.count - second
  }

  private static func digits(_ bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
    let start = index
    while index < bytes.count, bytes[index].isDigit { index += 1 }
    return bytes[start..<index].drop { $0 == UInt8(ascii: "0") }
  }
}
