import ApusConfiguration

/// Protects the variables in the text of a YAML file, such as `[${DIR:src}/*.graphql]`, from the syntax of YAML.
///
/// graphql-config inserts the values before it parses the file, so that the braces and the default are not YAML. Here a
/// value is inserted after parsing, so that it cannot add keys: until then each punctuation character of a variable is
/// another scalar of one column.
///
/// Source: graphql-config 5, "Environment Variables".
enum ProjectVariableText {
  /// The scalars in place of ASCII characters, in a private plane of Unicode.
  private static let base: UInt32 = 0xF0000

  /// Returns the text with the punctuation of its variables replaced; `nil` if it has none.
  static func hiding(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.firstRange(of: Array("${".utf8)) != nil else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.unicodeScalars.contains(where: isReplacement) else { return nil }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let start = rest.firstRange(of: "${".unicodeScalars) {
      let end = rest[start.upperBound...].firstIndex { $0 == "}" || $0 == "\n" }
      guard let end, rest[end] == "}" else {
        result += rest[..<start.upperBound]
        rest = rest[start.upperBound...]
        continue
      }
      result += rest[...start.lowerBound]
      let variable = rest[rest.index(after: start.lowerBound)...end]
      // An escape belongs to a quoted scalar.
      result += variable.contains("\\") ? String.UnicodeScalarView(variable) : hidden(variable)
      rest = rest[rest.index(after: end)...]
    }
    return Array(String(result + rest).utf8)
  }

  private static func hidden(_ variable: Substring.UnicodeScalarView) -> String.UnicodeScalarView {
    String.UnicodeScalarView(
      variable.map { scalar in
        let isPunctuation = scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar)
        return isPunctuation ? Unicode.Scalar(base + scalar.value) ?? scalar : scalar
      })
  }

  /// Returns a tree with the characters of its variables restored.
  static func restoring(_ node: YAMLNode) -> YAMLNode {
    let value: YAMLNode.Value
    switch node.value {
    case .scalar(let text, let isPlain): value = .scalar(restored(text), isPlain: isPlain)
    case .sequence(let elements): value = .sequence(elements.map(restoring))
    case .mapping(let members):
      value = .mapping(
        members.map {
          YAMLNode.Member(key: restored($0.key), keyPosition: $0.keyPosition, value: restoring($0.value))
        })
    }
    return YAMLNode(value: value, position: node.position, file: node.file)
  }

  private static func restored(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isReplacement) else { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { isReplacement($0) ? Unicode.Scalar($0.value - base) ?? $0 : $0 }))
  }

  private static func isReplacement(_ scalar: Unicode.Scalar) -> Bool { (base..<base + 128).contains(scalar.value) }
}
