import ApusClientFormats
import ApusClientImports
import ApusClientRequests
import ApusSecrets
import FuzzHarness

/// A shell script has requests or none. A request that is exported as a command is imported as the same request.
@main enum CurlCommandTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    for word in ShellScript(bytes).words {
      let text = String(decoding: word, as: UTF8.self)
      guard !text.isEmpty else { continue }
      let again = ShellScript("x \(ShellWords.quoted(text))".utf8).words
      expect(again == [Array("x".utf8), Array(text.utf8)], "a quoted word is parsed incorrectly: \(text)")
    }
    guard let request = first(String(decoding: bytes, as: UTF8.self)) else { return }
    _ = (request.httpFile, request.apusCommand)
    // Variables are not expanded.
    guard !request.curlCommand.contains("{{"), !request.curlCommand.contains("$") else { return }
    guard let again = first(request.curlCommand) else {
      fatalError("the command cannot be imported: \(request.curlCommand)")
    }
    expect(again.query == request.query, "the command has another query: \(request.curlCommand)")
    expect(again.url == request.url, "the command has another URL: \(request.curlCommand)")
  }

  private static func first(_ text: String) -> RequestDraft? {
    var collection = ImportedCollection()
    guard (try? collection.add(UntrustedText(text), named: "a.sh")) != nil else { return nil }
    return ImportedRequests(collection).requests.first?.draft
  }
}
