import ApusJSON
import FuzzHarness

@testable import ApusClientFormats

/// A curl command is a request or nothing; the request written as a command is read as the same.
@main enum CurlCommandTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for word in ShellWords.split(text) {
      expect(ShellWords.split(ShellWords.quoted(word)) == [word], "a quoted word is read as another: \(word)")
    }
    guard let request = SharedRequest(curl: text) else { return }
    _ = (request.httpFile, request.apusCommand)
    // What a shell fills in is not filled in here.
    guard !request.headers.contains(where: { ($0.name + $0.value.source).contains("$") }) else { return }
    guard let again = SharedRequest(curl: request.curlCommand) else {
      fatalError("the command cannot be read: \(request.curlCommand)")
    }
    expect(again.query == request.query, "the command has another query: \(request.curlCommand)")
    expect(again.url == request.url, "the command has another URL: \(request.curlCommand)")
  }
}
