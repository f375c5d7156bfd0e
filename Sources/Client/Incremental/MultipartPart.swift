/// One part of a multipart response.
package struct MultipartPart: Sendable, Equatable {
  package struct Header: Sendable, Equatable {
    package let name: String
    package let value: String
  }

  /// As they were sent, in their order.
  package let headers: [Header]
  /// The part's own bytes, without the white space around them.
  package let body: [UInt8]

  /// A header's value by its name in any case.
  package func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }
}

/// Why a multipart response cannot be read on.
package enum MultipartError: Error, Sendable, Equatable, CustomStringConvertible {
  case partTooLarge(limit: Int)
  case headersTooLarge(limit: Int)
  /// Something other than a delimiter follows a part's JSON.
  case textAfterPart(String)
  /// An event stream told of an error, in these words.
  case errorEvent(String)

  package var description: String {
    switch self {
    case .partTooLarge(let limit): "a part of the response is larger than the limit of \(limit) bytes"
    case .headersTooLarge(let limit): "the headers of a part are larger than the limit of \(limit) bytes"
    case .errorEvent(let text): "the server ended its event stream with an error: \(text)"
    case .textAfterPart(let text): "a part of the response is followed by text that is no delimiter: \(text)"
    }
  }
}
