/// The key of an object member. Keys are equal if their bytes are equal, without Unicode normalization: `é` as one
/// character and `é` as a letter with a combining accent are two keys.
struct JSONKey: Hashable, Sendable {
  let string: String

  init(_ string: String) { self.string = string }

  init(_ bytes: UnsafeBufferPointer<UInt8>) { string = String(decoding: bytes, as: UTF8.self) }

  static func == (left: JSONKey, right: JSONKey) -> Bool { left.string.utf8.elementsEqual(right.string.utf8) }

  func hash(into hasher: inout Hasher) {
    string.withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Calls `body` with the UTF-8 bytes of the string, without copying them if they are contiguous (as in native
  /// strings).
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var copy = self
    let result = copy.withUTF8 { bytes -> Swift.Result<Result, Failure> in
      do throws(Failure) {
        return .success(try body(bytes))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
