/// One part of a multipart response: `Content-Type: application/json`, an empty line and JSON.
package struct MultipartPart: Sendable, Equatable {
  package struct Header: Sendable, Equatable {
    package let name: String
    package let value: String
  }

  /// The header fields in the order sent.
  package let headers: [Header]
  /// The body without surrounding white space.
  package let body: [UInt8]

  /// Returns the value of a header, by case-insensitive name.
  package func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }
}

/// The reason why a multipart response cannot be read.
package enum MultipartError: Error, Sendable, Equatable, CustomStringConvertible {
  case partTooLarge(limit: Int)
  case headersTooLarge(limit: Int)
  /// Text other than a delimiter follows the JSON of a part.
  case textAfterPart(String)
  /// An event stream reported an error, with this message.
  case errorEvent(String)

  package var description: String {
    switch self {
    case .partTooLarge(let limit): "a part of the response is larger than the limit of \(limit) bytes"
    case .headersTooLarge(let limit): "the headers of a part are larger than the limit of \(limit) bytes"
    case .errorEvent(let text): "the server ended its event stream with an error: \(text)"
    case .textAfterPart(let text): "a part of the response is followed by text that is not a delimiter: \(text)"
    }
  }
}
