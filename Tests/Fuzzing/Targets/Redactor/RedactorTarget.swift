import ApusGraphQLLanguage
import ApusJSON
import ApusSecrets
import FuzzHarness

/// The redactor removes every secret that the parser finds, and no sent secret remains in any text.
@main enum RedactorTarget: FuzzTarget {
  /// The value of a sent header.
  private static let sent = "planted4711"

  private static let redactor: Redactor = {
    let values = SecretValues()
    values.add(header: "Authorization", "Bearer \(sent)", isLive: false)
    return Redactor(values: values)
  }()

  static func prepare() { _ = redactor }

  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for redacted in [redactor.text(text), redactor.document(text), redactor.variables(text)] {
      // Compares bytes, because a following combining mark would change the last character.
      let shown = Array(redacted.utf8)
      let isLeft = shown.indices.contains { shown[$0...].starts(with: sent.utf8) }
      expect(!isLeft, "a sent secret remains: \(redacted)")
    }
    if let value = try? JSONDocument(parsing: bytes).root {
      let redacted = redactor.json(value)
      expectHidden(redacted)
      expect(redactor.json(redacted) == redacted, "redacting again changes the text: \(redacted)")
    }
    let document = Document(parsing: text)
    guard document.diagnostics.isEmpty else { return }
    let redacted = redactor.document(text)
    // A sent secret may be a name in the document; its mark is not a valid name.
    let shown = Document(parsing: String(decoding: namingMarks(in: Array(redacted.utf8)), as: UTF8.self))
    expect(shown.diagnostics.isEmpty, "the redacted document is invalid: \(redacted)")
    for (name, value) in namedStrings(of: shown) where SecretNames.contains(name) {
      expect(value == nameOfMark, "a secret remains after \(name): \(redacted)")
    }
  }

  private static let nameOfMark = "hidden"

  /// Returns the document with a name in place of each mark. It operates on bytes, because a following combining mark
  /// would change the mark's last character.
  private static func namingMarks(in bytes: [UInt8]) -> [UInt8] {
    let mark = Array(Redactor.mark.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let isMark = bytes[index...].starts(with: mark)
      result += isMark ? Array(nameOfMark.utf8) : [bytes[index]]
      index += isMark ? mark.count : 1
    }
    return result
  }

  /// Returns every string value of an argument or field, with its name.
  private static func namedStrings(of document: Document) -> [(name: String, value: String)] {
    document.nodes.indices.compactMap { index in
      let node = document.nodes[index]
      guard node.kind == .argument || node.kind == .objectField else { return nil }
      let name = NodeID(index) + 1
      let value = document.nodes[Int(name)].next
      guard value < node.next, document.nodes[Int(value)].kind == .stringValue else { return nil }
      return (document.source.text(document.nodes[Int(name)].range), ValueNode(document, value).stringValue)
    }
  }

  private static func expectHidden(_ value: JSONValue) {
    switch value.kind {
    case .object:
      for (key, member) in value.members {
        let isSecret = SecretNames.contains(key) && key != "__typename" && member.kind == .string
        expect(!isSecret || member.string == Redactor.mark, "a secret remains: \(key)")
        expectHidden(member)
      }
    case .array: for element in value.elements { expectHidden(element) }
    default: break
    }
  }
}
