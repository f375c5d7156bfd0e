import ApusASCII
import ApusGraphQLProjects

/// Converts between document URIs and paths. A `file:` URI corresponds to a path, `file:///work/a%20b.graphql` to
/// `/work/a b.graphql`; other URIs are used unchanged.
///
/// Source: RFC 8089 (the file scheme), RFC 3986, section 2.1 (percent-encoding).
enum DocumentURI {
  /// Returns the path of a `file:` URI; nil for other URIs and for invalid paths.
  static func path(of uri: String) -> String? {
    guard uri.hasPrefix("file://") else { return nil }
    let rest = uri.dropFirst("file://".count)
    // A host name is assumed to be the local host.
    guard let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    var bytes: [UInt8] = []
    var escape: [UInt8] = []
    for byte in rest[slash...].utf8 {
      if !escape.isEmpty || byte == UInt8(ascii: "%") {
        escape.append(byte)
        guard escape.count == 3 else { continue }
        guard let value = UInt8(String(decoding: escape.dropFirst(), as: UTF8.self), radix: 16), value != 0 else {
          return nil
        }
        bytes.append(value)
        escape = []
      } else {
        bytes.append(byte)
      }
    }
    return escape.isEmpty ? String(decoding: bytes, as: UTF8.self) : nil
  }

  static func of(path: String) -> String { of(path: FilePath(path)) }

  static func of(path: FilePath) -> String {
    guard path.isAbsolute else { return "\(path)" }
    return "file://" + PercentEncoding.encoded(path.bytes, keeping: "/")
  }
}
