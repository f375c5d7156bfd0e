import ApusExplorerCore
import ApusExplorerTestSupport
import ApusExplorerText
import Testing

/// Characters that look like others: in the query, the variables and the headers, each with its fix.
@Suite(.timeLimit(.minutes(1))) struct MisleadingCharacterTests {
  private func found(_ text: String, _ language: Editor.Language) -> [String] {
    MisleadingCharacter.all(in: TextBuffer(text), language: language).map { character in
      let place = character.range.lowerBound
      return "\(place.line):\(place.column) '\(character.replacement)'\(character.isInString ? " in a string" : "")"
    }
  }

  @Test func `spaces, quotes and invisible characters are found in a query`() {
    #expect(
      found("{\u{A0}bird(id:\u{201C}1\u{201D}) {\n\u{200B}\u{3000}name } }", .graphQL) == [
        "0:1 ' '", "0:11 '\"'", "0:15 '\"'", "1:0 ''", "1:3 ' '",
      ])
  }

  @Test func `text in strings and comments may have any quote or space`() {
    #expect(found("{ a(b: \"\u{201C}x\u{201D}\u{A0}\u{200D}\") } # \u{2018}\u{200B}", .graphQL) == [])
    #expect(found("{ a(b: \"\"\"\n\u{201C}x\u{201D}\u{A0}\n\"\"\") }", .graphQL) == [])
    #expect(found("{ a(b: \"x\u{200B}\") }", .graphQL) == ["0:9 '' in a string"])
    #expect(found("{\"a\u{FEFF}\": \"\u{A0}\", /* \u{A0} */ \"b\": 1} // \u{201C}", .json) == ["0:3 '' in a string"])
    // It is not closed by a plain quote.
    #expect(found("{\"a\": \"b\u{201D}}", .json) == ["0:8 '\"'"])
    #expect(found("{ a(b: \"x\u{E0068}y\") }", .graphQL) == ["0:9 '' in a string"])
    #expect(found("{ a(b: \"\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}\") }", .graphQL) == [])
    #expect(found("# a\u{A0}b\nX-A:\u{A0}\u{2018}b\u{2019}", .plain) == ["1:4 ' '", "1:6 '''", "1:10 '''"])
    #expect(found("query Fête { bird { näme } }", .graphQL) == [])
  }

  @Test func `all of them are replaced in each editor`() async throws {
    try await writeWithDemoSchema(
      "{\u{A0}stations { name } }", variables: "{\u{201C}a\u{201D}: 1}", width: 100, height: 30
    ) { driver in
      #expect(await driver.state.analysis.diagnostics.first?.message.contains("U+00A0 (no-break space)") == true)
      await driver.press("Alt-Enter")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text == "{ stations { name } }")
      #expect(await driver.state.analysis.diagnostics.isEmpty)
      await driver.press("Alt-2")
      #expect(await driver.state.analysis.diagnostics.count { $0.message.contains("looks like a quote") } == 2)
      await driver.press("Alt-Enter")
      await driver.type("all 2")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.variables.text == "{\"a\": 1}")
      await driver.press("Alt-6")
      await driver.type("X-A:\u{A0}1\u{200B}")
      await driver.press("Alt-Enter")
      await driver.type("all")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.headers.text == "X-A: 1")
      await driver.press("Alt-Enter")
      #expect(await driver.state.screen.notice?.text == "There are no code actions here")
    }
  }
}
