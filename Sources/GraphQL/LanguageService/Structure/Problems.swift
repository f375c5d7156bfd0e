import ApusGraphQLLanguage
import ApusGraphQLValidation

/// How what is wrong with a text is told while it is written.
package enum Problems {
  /// The rules that a text is judged by: in one that does not parse most rules would complain of what is only not yet
  /// written.
  package static func rules(whole isWhole: Bool) -> [any ValidationRule.Type] {
    isWhole ? Validator.documentRules : Validator.documentRules.filter { early.contains($0.name) }
  }

  private static let early: Set<String> = [
    "FieldsOnCorrectTypeRule", "KnownArgumentNamesRule", "KnownTypeNamesRule", "KnownDirectivesRule",
  ]

  /// The part of a node that is marked: of a field its name, not all that is selected in it.
  package static func head(of range: Range<Int>, in bytes: some RandomAccessCollection<UInt8>) -> Range<Int> {
    var end = range.lowerBound
    for byte in bytes.dropFirst(range.lowerBound).prefix(range.count) {
      if end > range.lowerBound, [UInt8(ascii: "{"), UInt8(ascii: "("), 10].contains(byte) { break }
      end += 1
    }
    while end > range.lowerBound + 1, bytes.dropFirst(end - 1).first == 32 { end -= 1 }
    return range.lowerBound..<end
  }
}
