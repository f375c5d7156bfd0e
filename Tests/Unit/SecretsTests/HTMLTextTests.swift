import ApusSecrets
import Testing

/// The text of a page as a browser shows it, and secrets in pages.
@Suite struct HTMLTextTests {
  @Test(arguments: [
    ("<p>no &lt;b&gt; here &amp;amp; &#39;there&#x27;</p>", " no <b> here &amp; 'there' "),
    ("<head><title> Not &#65;llowed </title></head><body>x", " Not Allowed "),
    ("<title> </title><p>text", "  text"), ("<TITLE>a <b>x</TITLE>rest", "a <b>x"),
    ("a < b and 1<2 and c<3", "a < b and 1<2 and c<3"), ("a<", "a<"), ("a</", "a</"), ("a</3>b", "a b"),
    ("a<b>c</b>d", "a c d"), ("a<b c", "a "), ("a<br/>b", "a b"), ("a<!-- <b> > -->b", "a b"), ("a<!-- never", "a "),
    ("a<!DOCTYPE x>b<?xml y?>c", "a b c"),
    ("a</ x=\">\" y>b", "a \" y>b"), ("a<!x=\">\" y>b", "a \" y>b"), ("a<?x=\">\" y>b", "a \" y>b"),
    ("a</i x=\">\" y>b", "a b"), ("a<style>b > c</STYLE >d", "a d"),
    ("a<script>if (b<c) {}</script>d", "a d"),
    ("a<script>never", "a "), ("<i a=\"x>y\">z</i>", " z "), ("<i a='x>y' b=\">\">z", " z"), ("<i a=x>y", " y"),
    ("<i a=x\"y>z", " z"), ("<i \"x>y", " y"), ("<i a = \">\" c>y", " y"), ("<i a=b=\"x>y", " y"), ("<i a=\">y", " "),
    ("&euro;&nbsp;&unknown;&", "€\u{A0}&unknown;&"), ("", ""),
  ])
  func `the text of a page is that of a browser`(page: String, text: String) {
    // An error has one space in place of white space.
    #expect(HTMLText.summary(of: page).split(separator: " ") == text.split(separator: " "))
  }

  private static let secrets = [
    "canary-7f3a<b>Z9-more-of-it", "canary<word-123456", "canary>word-123456", "<canary-123456", "canary-123456>",
    "<b>canary-123456</b>", "ab<i x='canary-1'>cd-12345", "canary-1<script>canary-2</script>canary-3",
    "canary-1<!-- canary-2 -->canary-3", "canary\"<'word-1&2", "canary-1</title>canary-2", "a<b>canary-12",
    "canary-1&lt;2",
    "canary-1\" c>canary-2", "abcd<b>efgh",
  ]

  private static let pages: [@Sendable (String) -> String] = [
    { "<p>wrong: \($0)</p>" }, { "<p>wrong: \($0)" }, { $0 }, { "<title>\($0)</title>" }, { "<input value=\"\($0)\">" },
    { "<input value='\($0)'> end" }, { "<input value=\($0)> end" }, { "<!-- \($0) --> end" },
    { "<pre>\($0) \($0)</pre>" },
    { "<script>var a = '\($0)'</script>" }, { "<textarea>\($0)</textarea>" }, { "<p \($0)>x" },
  ]

  private static let encodings: [@Sendable (String) -> String] = [
    { $0 },
    { text in text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;") },
    { text in text.unicodeScalars.map { "&#\($0.value);" }.joined() },
    { text in text.unicodeScalars.map { "&#x\(String($0.value, radix: 16))" + ";" }.joined() },
    { text in text.replacing("&", with: "&amp;amp;").replacing("<", with: "&amp;lt;").replacing(">", with: "&amp;gt;")
    },
  ]

  /// Every secret in every page in every encoding: of the text that an error shows, no part of six bytes is in a file.
  @Test(arguments: secrets) func `a secret with markup is not in the text of a page`(secret: String) {
    let values = SecretValues()
    values.add(unsplit: secret)
    let redactor = Redactor(values: values)
    let parts = secret.utf8.indices.map { Array(secret.utf8[$0...].prefix(6)) }.filter {
      $0.count == 6 && String(decoding: $0, as: UTF8.self).contains("c")
    }
    for page in Self.pages {
      for encode in Self.encodings {
        let text = HTMLText.summary(of: page(encode(secret)))
        let shown = Array(redactor.text(text).utf8)
        for part in parts {
          #expect(
            shown.firstRange(of: part) == nil, "\(String(decoding: shown, as: UTF8.self)) of \(page(encode(secret)))")
        }
      }
    }
  }

  @Test func `words of a page that resemble a tag of a secret stay`() {
    let values = SecretValues()
    values.add(unsplit: "canary<strong>word-1")
    #expect(Redactor(values: values).text("a strong canary and word-1") == "a strong ••• and •••")
    #expect(Redactor(values: values).text("word-2 cana") == "word-2 cana")
  }
}
