import ApusJSON
import FuzzHarness

@testable import ApusClientFormats

/// An HTTP file is a request or nothing; the request written as a file is read as the same.
@main enum HTTPFileTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    guard let request = SharedRequest(http: String(decoding: bytes, as: UTF8.self)) else { return }
    _ = (request.curlCommand, request.apusCommand)
    // A URL with a line end or a blank in it, which a reader takes as it comes, cannot be written on its line.
    guard request.url.contains("://"), request.url.utf8.allSatisfy({ $0 > 0x20 }) else { return }
    guard let again = SharedRequest(http: request.httpFile) else {
      fatalError("the file cannot be read: \(request.httpFile)")
    }
    expect(again.query == request.query, "the file has another query: \(request.httpFile)")
    expect(again.url == request.url, "the file has another URL: \(request.httpFile)")
  }
}
