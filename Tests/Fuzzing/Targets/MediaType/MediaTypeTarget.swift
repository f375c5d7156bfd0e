import ApusClientIncremental
import FuzzHarness

/// A content type taken apart and put together is the same one.
@main enum MediaTypeTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let type = MediaType(parsing: text)
    _ = (type.boundary, type.specification, type.isJSON, type.isMultipart)
    var written = type.name
    for parameter in type.parameters {
      expect(type[parameter.name] != nil, "a parameter is not found: \(parameter.name)")
      let value = parameter.value.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
      written += ";\(parameter.name)=\"\(value)\""
    }
    // A quote in a name takes the semicolon behind it for its own.
    guard !written.isEmpty, !type.name.contains("\""), !type.parameters.contains(where: { $0.name.contains("\"") })
    else { return }
    let again = MediaType(parsing: written)
    expect(again.parameters == type.parameters, "\(written) is \(again), not \(type)")
  }
}
