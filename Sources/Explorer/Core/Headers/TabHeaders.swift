import ApusSecrets

/// The headers of a tab that go to one server: made by `HeaderOrigins` alone, and checked against the server that is spoken
/// to where a request is made.
package struct TabHeaders: Hashable, Sendable {
  private let lines: [HeaderLine]
  /// The server that they are for; `nil` where there is none, and where there are no headers.
  package let origin: Origin?

  package init(_ lines: [HeaderLine], for origin: Origin?) {
    self.lines = lines
    self.origin = lines.isEmpty ? nil : origin
  }
}

extension TabHeaders: RandomAccessCollection {
  package var startIndex: Int { lines.startIndex }
  package var endIndex: Int { lines.endIndex }
  package subscript(position: Int) -> HeaderLine { lines[position] }
}

extension TabHeaders: ExpressibleByArrayLiteral {
  /// No headers.
  package init(arrayLiteral: Never...) { self.init([], for: nil) }
}
