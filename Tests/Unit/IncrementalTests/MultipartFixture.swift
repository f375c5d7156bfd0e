import ApusClientIncremental
import Testing

/// Reads a multipart text at once, byte by byte, and split at every offset, with both ways of extracting parts. All
/// must give the same parts. Returns the bodies. Line feeds in `text` are sent as CRLF by default.
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
  let complete = try read([bytes[...]], boundary: boundary)
  let taken = try read([bytes[...]], boundary: boundary, copiedSize: 0)
  #expect(taken == complete, "with the buffer", sourceLocation: sourceLocation)
  for cut in 1..<max(2, bytes.count) {
    let copied = try read([bytes[..<cut], bytes[cut...]], boundary: boundary)
    #expect(copied == complete, "cut at \(cut)", sourceLocation: sourceLocation)
    let taken = try read([bytes[..<cut], bytes[cut...]], boundary: boundary, copiedSize: 0)
    #expect(taken == complete, "cut at \(cut), with the buffer", sourceLocation: sourceLocation)
  }
  for copiedSize in [0, .max] {
    let single = try read(bytes.indices.map { bytes[$0...$0] }, boundary: boundary, copiedSize: copiedSize)
    #expect(single == complete, "byte by byte, copied up to \(copiedSize)", sourceLocation: sourceLocation)
  }
  return complete
}

private func read(
  _ chunks: [ArraySlice<UInt8>], boundary: String, copiedSize: Int = .max
) throws -> [MultipartPart] {
  var reader = MultipartReader(boundary: boundary, limits: MultipartReader.Limits(copiedSize: copiedSize))
  var parts: [MultipartPart] = []
  for chunk in chunks { parts += try reader.receive(chunk) }
  if let last = reader.finish() { parts.append(last) }
  return parts
}

/// Receives chunks and returns the number of parts after each.
func multipartCounts(_ chunks: [String], boundary: String = "-") throws -> [Int] {
  var reader = MultipartReader(boundary: boundary)
  var count = 0
  return try chunks.map { chunk in
    count += try reader.receive(Array(chunk.utf8)).count
    return count
  }
}
