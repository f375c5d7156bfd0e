import ApusGraphQLLanguage
import FuzzHarness

@testable import Meaning

/// A printed document has the same meaning, and printing it again does not change it.
@main enum PrinterTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let document = Document(parsing: bytes)
    guard document.diagnostics.isEmpty else { return }
    let text = Printer.print(document)
    let printed = Document(parsing: text)
    expect(printed.diagnostics.isEmpty, "what was printed cannot be read: \(text)")
    expect(Printer.print(printed) == text, "what was printed is printed in another way: \(text)")
    expect(meaning(printed) == meaning(document), "what was printed says something else: \(text)")
  }
}
