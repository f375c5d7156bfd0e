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
    expect(printed.diagnostics.isEmpty, "the printed document is invalid: \(text)")
    expect(Printer.print(printed) == text, "printing again changes the document: \(text)")
    expect(meaning(printed) == meaning(document), "printing changes the meaning: \(text)")
  }
}
