import ApusExplorerText
import ApusSecrets
import Testing

/// References in the text of an editor.
@Suite struct EditorReferencesTests {
  private static let text = "{ a(password: \"•••\", n: \"•••\") }"

  /// An editor whose first mark is a reference.
  private var editor: Editor {
    let start = Self.text.utf8.count - "•••\", n: \"•••\") }".utf8.count
    return Editor(DraftText(Self.text, references: [start..<start + 9]), language: .graphQL)
  }

  private func shown(_ editor: Editor) -> String {
    let bytes = Array(editor.text.utf8)
    return editor.draft.replacingReferences { "<\(String(decoding: bytes[$0], as: UTF8.self))>" }
  }

  @Test func `a reference moves with the text around it`() {
    var editor = editor
    editor.replace(TextPosition.start..<TextPosition.start, with: "# c\n\n")
    editor.replace(TextPosition(2, 2)..<TextPosition(2, 3), with: "longer")
    #expect(shown(editor) == "# c\n\n{ longer(password: \"<•••>\", n: \"•••\") }")
  }

  @Test func `a reference is filled in when all of its characters are replaced`() throws {
    var editor = editor
    let range = try #require(editor.references.first)
    editor.select(TextSelection(anchor: range.lowerBound, cursor: range.upperBound))
    editor.type("x")
    #expect(shown(editor) == "{ a(password: \"x\", n: \"•••\") }")
    editor.undo()
    #expect(shown(editor) == "{ a(password: \"<•••>\", n: \"•••\") }")
    editor.redo()
    #expect(editor.references.isEmpty)
  }

  @Test func `the rest of a reference is a reference`() throws {
    var editor = editor
    let range = try #require(editor.references.first)
    editor.moveCursor(range.upperBound)
    editor.type("x")
    #expect(shown(editor) == "{ a(password: \"<•••>x\", n: \"•••\") }")
    editor.moveCursor(range.upperBound)
    editor.deleteBackward()
    editor.deleteBackward()
    #expect(shown(editor) == "{ a(password: \"<•>x\", n: \"•••\") }")
    editor.deleteBackward()
    #expect(shown(editor) == "{ a(password: \"x\", n: \"•••\") }")
    editor.undo()
    #expect(shown(editor) == "{ a(password: \"<•••>x\", n: \"•••\") }")
  }

  @Test func `a mark that the user types is text`() {
    var editor = Editor("", language: .graphQL)
    editor.paste("{ a(password: \"•••\") }")
    #expect(editor.references.isEmpty)
    var other = self.editor
    other.moveCursor(.start)
    for _ in 0..<3 { other.type("•") }
    #expect(other.references.count == 1)
  }

  @Test func `formatted text keeps its references`() {
    var editor = editor
    editor.setText("{\n  a(password: \"•••\", n: \"•••\")\n}")
    #expect(shown(editor) == "{\n  a(password: \"<•••>\", n: \"•••\")\n}")
    editor.setText("{ b(password: \"•••\") }")
    #expect(shown(editor) == "{ b(password: \"<•••>\") }")
    editor.setFileText("{ a(password: \"•••\") }")
    #expect(editor.references.isEmpty)
  }
}
