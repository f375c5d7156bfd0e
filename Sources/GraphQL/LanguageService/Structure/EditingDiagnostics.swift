import ApusGraphQLLanguage
import ApusGraphQLValidation

/// Helpers for diagnostics in a document that is being edited.
package enum EditingDiagnostics {
  /// Returns the validation rules for a document. If it does not parse, most rules would report text that is not written yet
  /// and are omitted.
  package static func rules(complete isWhole: Bool) -> [any ValidationRule.Type] {
    isWhole
      ? Validator.documentRules : Validator.documentRules.filter { Validator.rulesOfIncompleteText.contains($0.name) }
  }

  /// Returns the part of a node to mark: the name of a field without its selections.
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
