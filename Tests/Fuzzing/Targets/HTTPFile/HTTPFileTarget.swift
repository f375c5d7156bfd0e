import ApusClientFormats
import ApusClientImports
import ApusClientRequests
import ApusSecrets
import FuzzHarness

/// An HTTP file has requests or none. A request that is exported to a file is imported as the same request.
@main enum HTTPFileTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    guard let request = first(String(decoding: bytes, as: UTF8.self)) else { return }
    _ = (request.curlCommand, request.apusCommand)
    // A URL that contains a line break or space cannot be written on one line.
    guard request.url.contains("://"), request.url.utf8.allSatisfy({ $0 > 0x20 }), !request.httpFile.contains("{{")
    else {
      return
    }
    guard let again = first(request.httpFile) else {
      fatalError("the file cannot be imported: \(request.httpFile)")
    }
    expect(again.query == request.query, "the file has another query: \(request.httpFile)")
    expect(again.url == request.url, "the file has another URL: \(request.httpFile)")
  }

  private static func first(_ text: String) -> RequestDraft? {
    var collection = ImportedCollection()
    guard (try? collection.add(UntrustedText(text), named: "a.http")) != nil else { return nil }
    return ImportedRequests(collection).requests.first?.draft
  }
}
