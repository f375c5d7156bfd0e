/// A file that a person is asked about before it is sent.
package struct AskedFile: Equatable, Sendable {
  /// With symbolic links followed.
  package let path: String
  package let byteCount: Int

  package init(path: String, byteCount: Int) {
    self.path = path
    self.byteCount = byteCount
  }

  package var words: String { "\(path), \(byteCount) bytes" }
}
