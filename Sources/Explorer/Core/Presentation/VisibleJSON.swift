import ApusJSON

/// JSON for an effect. The value contains the fields that were added for the explorer, but text generated
/// from it does not.
///
/// Values from one parsed document are compared by identity first, so that comparing effects seldom
/// traverses a response.
package struct VisibleJSON: Equatable, Sendable {
  package let value: JSONValue
  /// The fields that were added for the explorer.
  package let hidden: HiddenFields?

  package init(_ value: JSONValue, without hidden: HiddenFields? = nil) {
    self.value = value
    self.hidden = hidden.flatMap { $0.isEmpty ? nil : $0 }
  }

  package static func == (left: VisibleJSON, right: VisibleJSON) -> Bool {
    left.value.isIdentical(to: right.value) && left.hidden == right.hidden
      || left.value.kind == right.value.kind && left.value == right.value && left.hidden == right.hidden
  }

  // MARK: Text

  package var pretty: String { String(decoding: bytes(indent: 0), as: UTF8.self) }

  /// The JSON on one line.
  package var compactBytes: [UInt8] { bytes(indent: nil) }

  /// Returns the JSON, indented by two spaces per level from `indent`, or on one line if `indent` is nil.
  func bytes(indent: Int?) -> [UInt8] {
    guard hidden != nil else { return indent == nil ? JSONWriter.compactBytes(value) : JSONWriter.prettyBytes(value) }
    var text: [UInt8] = []
    text.reserveCapacity(value.byteSize * (indent == nil ? 2 : 3) / 2 + 16)
    Self.write(value, hidden, indent, to: &text)
    return text
  }

  private static func write(_ value: JSONValue, _ hidden: HiddenFields?, _ indent: Int?, to text: inout [UInt8]) {
    let isObject = value.kind == .object
    guard isObject || value.kind == .array else { return JSONWriter.append(value, to: &text) }
    text.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    let inner = indent.map { $0 + 1 }
    var isFirst = true
    func separate(_ text: inout [UInt8]) {
      if !isFirst { text.append(UInt8(ascii: ",")) }
      isFirst = false
      breakLine(inner, &text)
    }
    if isObject {
      value.forEachMember { key, member in
        let name = String(decoding: key, as: UTF8.self)
        guard hidden?.names.contains(name) != true else { return true }
        separate(&text)
        JSONWriter.append(name, to: &text)
        text.append(UInt8(ascii: ":"))
        if indent != nil { text.append(0x20) }
        write(member, hidden?.children[name], inner, to: &text)
        return true
      }
    } else {
      for item in value.elements {
        separate(&text)
        write(item, hidden, inner, to: &text)
      }
    }
    if !isFirst { breakLine(indent, &text) }
    text.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }

  private static func breakLine(_ indent: Int?, _ text: inout [UInt8]) {
    guard let indent else { return }
    text.append(0x0A)
    text.append(contentsOf: repeatElement(0x20, count: 2 * indent))
  }
}

extension JSONValue {
  /// Whether two values are equal without a comparison of objects and lists, which are equal here only if they are the
  /// same stored value. For values computed in the background: null is the same as null, so that it is computed once.
  func isSame(as other: JSONValue) -> Bool {
    switch kind {
    case .object, .array: isIdentical(to: other)
    case .null, .bool, .number, .string: kind == other.kind && self == other
    }
  }
}
