import ApusJSON

/// A mock object: its type name, and the key from which its values are derived, such as `User_12`.
struct MockObject: Sendable, Equatable {
  let type: String
  let key: String
  /// The page, if the object is a connection or a part of one.
  var page: MockPage?

  init(type: String, key: String, page: MockPage? = nil) {
    self.type = type
    self.key = key
    self.page = page
  }
}

/// Pseudorandom numbers that depend only on the seed and the given strings (FNV-1a with mixing).
struct MockDraw: Sendable {
  private var hash: UInt64

  init(_ seed: UInt64, _ parts: String...) {
    hash = 0xCBF2_9CE4_8422_2325 ^ seed &* 0x9E37_79B9_7F4A_7C15
    for part in parts {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
  }

  /// Returns the next number below a bound.
  mutating func below(_ bound: Int) -> Int {
    hash &+= 0x9E37_79B9_7F4A_7C15
    var mixed = hash
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(max(bound, 1)))
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  mutating func hexadecimal(_ count: Int) -> String {
    String((0..<count).map { _ in Character(String(below(16), radix: 16)) })
  }
}
