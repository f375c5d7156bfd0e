import ApusGraphQLMediaTypes
import FuzzHarness

/// A content type that is parsed and written again is the same.
@main enum MediaTypeTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let type = MediaType(parsing: text)
    _ = (type.boundary, type.specification, type.isJSON, type.isMultipart)
    var written = type.name
    for parameter in type.parameters {
      expect(type[parameter.name] != nil, "a parameter is not found: \(parameter.name)")
      let value = parameter.value.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
      written += ";\(parameter.name)=\"\(value)\""
    }
    // After a quote in a name, the semicolon that follows is part of the name.
    guard !written.isEmpty, !hasQuote(type.name), !type.parameters.contains(where: { hasQuote($0.name) })
    else { return }
    let again = MediaType(parsing: written)
    expect(again.parameters == type.parameters, "\(written) is \(again), not \(type)")
  }

  private static func hasQuote(_ text: String) -> Bool { text.unicodeScalars.contains("\"") }
}
