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
    expect(formatted.diagnostics.isEmpty, "the formatted document is invalid: \(text)")
    expect(Formatter.format(formatted) == text, "formatting again changes the document: \(text)")
    expect(meaning(formatted) == meaning(document), "formatting changes the meaning: \(text)")
  }
}
