package enum TokenKind: UInt8, Sendable {
  case endOfFile
  case bang, dollar, ampersand, parenthesisLeft, parenthesisRight, spread, colon, equals, at
  case bracketLeft, bracketRight, braceLeft, pipe, braceRight
  case name, int, float, string, blockString
  case comment
  /// A character that cannot begin a token.
  case invalid

  /// The name of the kind in syntax errors.
  var words: String {
    switch self {
    case .endOfFile: "<EOF>"
    case .bang: "\"!\""
    case .dollar: "\"$\""
    case .ampersand: "\"&\""
    case .parenthesisLeft: "\"(\""
    case .parenthesisRight: "\")\""
    case .spread: "\"...\""
    case .colon: "\":\""
    case .equals: "\"=\""
    case .at: "\"@\""
    case .bracketLeft: "\"[\""
    case .bracketRight: "\"]\""
    case .braceLeft: "\"{\""
    case .pipe: "\"|\""
    case .braceRight: "\"}\""
    case .name: "Name"
    case .int: "Int"
    case .float: "Float"
    case .string: "String"
    case .blockString: "BlockString"
    case .comment: "Comment"
    case .invalid: "Invalid"
    }
  }
}

/// A token with its range in byte offsets.
package struct Token: Sendable, Equatable {
  package let kind: TokenKind
  package let range: Range<Int>
}

/// The error of an invalid token.
struct LexicalError {
  let message: String
  let range: Range<Int>
}
