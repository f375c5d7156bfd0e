/// Device control strings (DCS) that terminals send.
enum DeviceControlString {
  enum Match: Equatable { case none, incomplete, response }

  /// Compares the bytes after `ESC P` with the beginnings of responses: XTVERSION (`>|`), DA3 (`!|`), DECRQSS (`1$r`)
  /// and XTGETTCAP (`1+r`).
  static func match(_ bytes: ArraySlice<UInt8>) -> Match {
    let beginnings = [">|", "!|", "0$r", "1$r", "0+r", "1+r"]
    if beginnings.contains(where: { bytes.starts(with: $0.utf8) }) { return .response }
    return beginnings.contains { $0.utf8.starts(with: bytes) } ? .incomplete : .none
  }
}
