import ApusClientRequests
import Testing

/// The rule for `{{references}}` (`Docs/Development/References.md`).
struct TemplateTextTests {
  /// The cells of the first table: the text, whether the place counts `x`, and the sent text with the value `v`.
  @Test(arguments: [
    ("{{x}}", true, "v"), ("{{x}}", false, "{{x}}"), (#"\{{x}}"#, true, "{{x}}"), (#"\{{x}}"#, false, "{{x}}"),
    (#"\\{{x}}"#, true, #"\\v"#), (#"\\{{x}}"#, false, #"\\{{x}}"#), (#"\\\{{x}}"#, true, #"\\{{x}}"#),
    ("$x ${x}", true, "$x ${x}"), ("{{ x }}", true, "v"), ("{{y}}", true, "{{y}}"), ("{{}}", true, "{{}}"),
    ("{{x", true, "{{x"), ("{x}}", true, "{x}}"), ("{{{x}}}", true, "{v}"), ("{{x}}{{x}}", true, "vv"),
    ("a{{x}}b", true, "avb"), ("{{\nx}}", true, "{{\nx}}"), (#"\{{"#, true, "{{"), ("", true, ""),
  ])
  func `double braces are a reference if the place counts the name`(text: String, counts: Bool, sent: String) {
    #expect(TemplateText.filled(text, .plain, values: counts ? ["x": "v"] : [:]) == sent)
  }

  @Test(arguments: [
    (#"{"a":"{{x}}"}"#, "q\"\\\n", #"{"a":"q\"\\\n"}"#), (#"{"a":{{x}}}"#, "[1]", #"{"a":[1]}"#),
    (#"{"a\"":{{x}}}"#, "7", #"{"a\"":7}"#), (#"{"{{x}}":{{x}}}"#, "7", #"{"7":7}"#),
    ("{ a(b: \"{{x}}\", c: {{x}}) }", "\"", "{ a(b: \"\\\"\", c: \") }"),
    (#"{"a":"{{x}}"}"#, "\u{1}\u{1F}\t\r\u{20}\u{7F}é", #"{"a":"\u0001\u001f\t\r"# + " \u{7F}é\"}"),
  ])
  func `a value is escaped in a string and inserted unchanged outside`(text: String, value: String, sent: String) {
    #expect(TemplateText.filled(text, .json, values: ["x": value]) == sent)
  }

  @Test func `escaped text is itself again`() {
    for text in ["{{x}}", "a {{x}} {{y}} {", "{{{", "none"] {
      #expect(TemplateText.filled(TemplateText.escaped(text), .plain, values: ["x": "v", "y": "w"]) == text)
    }
  }

  /// A model by other means: the rest of a text, character by character, and the number of backslashes before it.
  private func model(_ text: Substring, after backslashes: Int = 0) -> String {
    guard let first = text.first else { return "" }
    if first == "\\" {
      let isEscape = backslashes % 2 == 0 && text.dropFirst().hasPrefix("{{")
      if isEscape { return "{{" + model(text.dropFirst(3)) }
      return "\\" + model(text.dropFirst(), after: backslashes + 1)
    }
    if text.hasPrefix("{{x}}") { return "v" + model(text.dropFirst(5)) }
    return String(first) + model(text.dropFirst())
  }

  @Test func `all short texts are read as a model reads them`() {
    let alphabet: [Character] = ["{", "}", "\\", "x", "a"]
    var texts = [""]
    for _ in 0..<7 {
      for text in texts {
        // A value before a backslash would look like text, so the model has another value than the alphabet.
        #expect(TemplateText.filled(text, .plain, values: ["x": "v"]) == model(text[...]), "\(text)")
      }
      texts = texts.flatMap { text in alphabet.map { text + String($0) } }
      if texts.count > 20_000 { break }
    }
  }
}
