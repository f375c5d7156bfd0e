extension UInt8 {
  @inlinable package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  @inlinable package var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

  @inlinable package var isUppercase: Bool { self &- UInt8(ascii: "A") < 26 }

  /// Whether a name may begin with the byte: a letter or `_`.
  ///
  /// Source: GraphQL specification (September 2025), section 2.1.9 "Names"; POSIX, section 3.231 "Name", for variables.
  @inlinable package var isNameStart: Bool { isLetter || self == UInt8(ascii: "_") }

  /// Whether a name may contain the byte: a letter, a digit or `_`.
  @inlinable package var isNameByte: Bool { isNameStart || isDigit }

  /// The byte with uppercase ASCII letters converted to lowercase.
  @inlinable package var lowercased: UInt8 { isUppercase ? self | 0x20 : self }
}
