import ApusClientIncremental
import Testing

/// Reads a multipart text whole, byte by byte, and cut in two at every place; all of them must give the same parts.
/// Returns the bodies. Line ends in `text` are LF; they are sent as CRLF unless told otherwise.
func multipartBodies(
  _ text: String, boundary: String = "-", lineEnd: String = "\r\n", sourceLocation: SourceLocation = #_sourceLocation
) throws -> [String] {
  try multipartParts(text, boundary: boundary, lineEnd: lineEnd, sourceLocation: sourceLocation)
    .map { String(decoding: $0.body, as: UTF8.self) }
}

func multipartParts(
  _ text: String, boundary: String = "-", lineEnd: String = "\r\n", sourceLocation: SourceLocation = #_sourceLocation
) throws -> [MultipartPart] {
  let bytes = Array(text.replacing("\n", with: lineEnd).utf8)
  let whole = try read([bytes[...]], boundary: boundary)
  for cut in 1..<max(2, bytes.count) {
    let parts = try read([bytes[..<cut], bytes[cut...]], boundary: boundary)
    #expect(parts == whole, "cut at \(cut)", sourceLocation: sourceLocation)
  }
  let single = try read(bytes.indices.map { bytes[$0...$0] }, boundary: boundary)
  #expect(single == whole, "byte by byte", sourceLocation: sourceLocation)
  return whole
}

private func read(_ chunks: [ArraySlice<UInt8>], boundary: String) throws -> [MultipartPart] {
  var reader = MultipartReader(boundary: boundary)
  var parts: [MultipartPart] = []
  for chunk in chunks { parts += try reader.receive(chunk) }
  if let last = reader.finish() { parts.append(last) }
  return parts
}

/// Feeds chunk after chunk and returns how many parts are out after each.
func multipartCounts(_ chunks: [String], boundary: String = "-") throws -> [Int] {
  var reader = MultipartReader(boundary: boundary)
  var count = 0
  return try chunks.map { chunk in
    count += try reader.receive(Array(chunk.utf8)).count
    return count
  }
}
