/// A header line: `Authorization: Bearer abc`.
///
/// It is parsed by Unicode scalars, like its bytes: a colon or space before a combining mark counts.
struct HeaderText {
  let name: String
  let value: String

  /// Returns `nil` if there is no colon.
  init?(_ line: String) {
    let scalars = line.unicodeScalars
    guard let colon = scalars.firstIndex(of: ":") else { return nil }
    name = String(scalars[..<colon])
    value = String(scalars[colon...].dropFirst().drop { $0 == " " })
  }
}
