import ApusJSON

/// Access to the bytes of JSON values. No other file of the cache depends on their representation.
enum JSONBytes {
  /// Calls `body` with the characters of a string or the digits of a number. Returns `nil` for other values.
  @inline(__always)
  static func withIdentifier<Result>(
    _ value: JSONValue, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result? {
    if let result = value.withStringBytes(body) { return result }
    return value.withNumberBytes(body)
  }

  /// Calls `body` with a value in its stored form: the characters of a string without escapes, or JSON text.
  @inline(__always)
  static func withStored(_ value: JSONValue, _ body: (UnsafeBufferPointer<UInt8>, _ isString: Bool) -> Void) {
    switch value.kind {
    case .string:
      let isDone = value.withStringBytes { bytes -> Bool in
        guard !needsEscapes(bytes) else { return false }
        body(bytes, true)
        return true
      }
      if isDone == true { return }
    case .number:
      if value.withNumberBytes({ body($0, false) }) != nil { return }
    default: break
    }
    var text = JSONWriter.compact(value)
    text.withUTF8 { body($0, false) }
  }

  @inline(__always)
  private static func needsEscapes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var found = false
    for byte in bytes where byte < 0x20 || byte == 0x22 || byte == 0x5C { found = true }
    return found
  }

  /// Returns the value of a stored scalar.
  static func value(of bytes: UnsafeBufferPointer<UInt8>, isString: Bool) -> JSONValue {
    if isString { return JSONValue(String(decoding: bytes, as: UTF8.self)) }
    return (try? JSONDocument(parsing: Array(bytes)))?.root ?? .null
  }

  /// Returns a key in quotes with a colon: `"name":`.
  static func member(_ key: String) -> [UInt8] { Array(JSONValue(key).description.utf8) + [0x3A] }

  static func document(_ bytes: [UInt8]) -> JSONValue? { (try? JSONDocument(parsing: bytes))?.root }
}
