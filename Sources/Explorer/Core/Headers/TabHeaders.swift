import ApusSecrets

/// The headers of a tab for one server. Only `HeaderOrigins` creates them, and each request checks them against its
/// server.
package struct TabHeaders: Hashable, Sendable {
  private let lines: [HeaderLine]
  /// The server that the headers are for; `nil` if none is open or there are no headers.
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
