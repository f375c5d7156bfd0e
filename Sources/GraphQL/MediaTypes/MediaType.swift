import ApusAlgorithms

/// A `Content-Type` taken apart: `multipart/mixed; boundary="-"; deferSpec=20220824`.
package struct MediaType: Sendable, Equatable {
  /// The type in lowercase: `multipart/mixed`.
  package let name: String
  /// Names in lower case, values without their quotes, in their order.
  package let parameters: [Parameter]

  package struct Parameter: Sendable, Equatable {
    package let name: String
    package let value: String
  }

  package init(parsing text: String) {
    // Most types are a name in lower case and no more, and are looked at for each response.
    var text = text
    if text.withUTF8({ $0.allSatisfy(Self.isUsual) }) {
      name = text
      parameters = []
      return
    }
    var pieces = MediaType.split(text)[...]
    name = pieces.popFirst().map { MediaType.trim($0[...]).lowercased() } ?? ""
    parameters = pieces.compactMap { piece in
      guard let equals = piece.unicodeScalars.firstIndex(of: "=") else { return nil }
      let name = MediaType.trim(piece[..<equals]).lowercased()
      let value = piece[piece.unicodeScalars.index(after: equals)...]
      return Parameter(name: name, value: MediaType.unquote(MediaType.trim(value)))
    }
  }

  /// Whether a byte can be part of a lowercase name: visible and not a separator.
  private static func isUsual(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "A")...UInt8(ascii: "Z"): false
    case 0x21...0x7E: true
    default: false
    }
  }

  package subscript(parameter: String) -> String? {
    parameters.first { $0.name == parameter.lowercased() }?.value
  }

  /// Whether the response comes in parts that each are a result, or a piece of one; other multipart types are not that.
  package var isMultipart: Bool { name == "multipart/mixed" }

  package var isEventStream: Bool { name == "text/event-stream" }

  package var isJSON: Bool { name == "application/json" || name.hasSuffix("+json") || name == "text/json" }

  /// The delimiter's text, `-` unless it is given.
  package var boundary: String {
    guard let boundary = self["boundary"], !boundary.isEmpty else { return "-" }
    return boundary
  }

  /// The agreed specification of the parts, as `deferSpec=20220824`; `nil` when the server does not echo one.
  package var specification: String? {
    guard let stated = parameters.first(where: { $0.name.hasSuffix("spec") }) else { return nil }
    let text = "\(stated.name)=\(stated.value)"
    return Self.specifications.first { $0.lowercased() == text.lowercased() } ?? text
  }

  /// Specifications that the client reads, as their documents spell them.
  private static let specifications =
    IncrementalFormat.allCases.map(\.specification) + [GraphQLMediaType.subscriptionSpecification]

  /// Splits at semicolons, and at a comma that follows the parameters (some servers send a list), outside quotes.
  /// Compares Unicode scalars, because a quote followed by a combining mark must remain a quote.
  private static func split(_ text: String) -> [String] {
    var pieces: [String] = []
    var piece = String.UnicodeScalarView()
    var isQuoted = false
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        isEscaped = false
      } else if isQuoted && scalar == "\\" {
        isEscaped = true
      } else if scalar == "\"" {
        isQuoted.toggle()
      } else if !isQuoted && (scalar == ";" || scalar == ",") {
        pieces.append(String(piece))
        piece = String.UnicodeScalarView()
        continue
      }
      piece.append(scalar)
    }
    pieces.append(String(piece))
    return pieces
  }

  private static func trim(_ text: Substring) -> String {
    String(Substring(text.unicodeScalars.trimming(while: \.properties.isWhitespace)))
  }

  private static func unquote(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" else { return text }
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in scalars.dropFirst().dropLast() {
      if scalar == "\\" && !isEscaped {
        isEscaped = true
      } else {
        result.append(scalar)
        isEscaped = false
      }
    }
    return String(result)
  }
}
