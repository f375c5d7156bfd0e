/// A header as it is written on a line: its name, a colon and its value.
///
/// It goes by scalars, as whoever reads the bytes does: a colon or a blank before a combining mark is one.
struct HeaderText {
  let name: String
  let value: String

  /// Nil where there is no colon.
  init?(_ line: String) {
    let scalars = line.unicodeScalars
    guard let colon = scalars.firstIndex(of: ":") else { return nil }
    name = String(scalars[..<colon])
    value = String(scalars[colon...].dropFirst().drop { $0 == " " })
  }
}
