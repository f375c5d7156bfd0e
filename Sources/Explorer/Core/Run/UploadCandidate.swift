import ApusFormatting

/// A file that is sent only after the user confirms it.
package struct UploadCandidate: Equatable, Sendable {
  /// The path with symbolic links resolved.
  package let path: String
  package let byteCount: Int

  package init(path: String, byteCount: Int) {
    self.path = path
    self.byteCount = byteCount
  }

  package var words: String { "\(path), \(DisplayFormat.plural(byteCount, "byte"))" }
}
