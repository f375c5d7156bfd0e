import ApusGraphQLValidation
import Testing

/// The suggestion in a message about an unknown name.
struct NameSuggestionsTests {
  static let options = ["--early-execution", "--output", "--cookie", "--cookie-jar", "--no-cache", "--no-color"]

  /// The input and the suggested option; nil for none.
  @Test(
    arguments: [
      // A misspelling, with one edit for each four characters.
      ("--ouput", "--output"), ("--coookie", "--cookie"), ("--ouptut-fle", nil),
      // An abbreviation of one option, in any case; "--cookie-j" is also near "--cookie".
      ("--early", "--early-execution"), ("--e", "--early-execution"), ("--Early", "--early-execution"),
      ("--cookie-j", "--cookie-jar"),
      // Several options begin with it, and one of them is near or none.
      ("--cooki", "--cookie"), ("--no-c", nil), ("--coo", nil),
      // No option begins with it, or it has no letter.
      ("--execution", nil), ("--", nil), ("", nil),
    ] as [(String, String?)])
  func `the hint is a misspelled or abbreviated option`(input: String, suggestion: String?) {
    #expect(NameSuggestions.hint(input, Self.options) == (suggestion.map { "; did you mean \($0)?" } ?? ""))
  }

  @Test func `the only option is not suggested for dashes alone`() {
    #expect(NameSuggestions.hint("--", ["--output"]) == "")
  }
}
