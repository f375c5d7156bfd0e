import ApusGraphQLLanguage
import FuzzHarness

@testable import Meaning

/// A formatted document has the same meaning, and formatting it again does not change it. Nothing of an invalid
/// document is lost.
@main enum FormatterTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let document = Document(parsing: bytes)
    let text = Formatter.format(document)
    guard document.diagnostics.isEmpty else { return }
    let formatted = Document(parsing: text)
    expect(formatted.diagnostics.isEmpty, "what was formatted cannot be read: \(text)")
    expect(Formatter.format(formatted) == text, "what was formatted is formatted in another way: \(text)")
    expect(meaning(formatted) == meaning(document), "what was formatted says something else: \(text)")
  }
}
