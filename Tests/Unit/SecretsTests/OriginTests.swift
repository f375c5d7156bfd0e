import ApusSecrets
import Testing

/// The origin of a URL.
@Suite struct OriginTests {
  @Test(arguments: [
    ("https://Api.Example/graphql", "https://api.example"), ("HTTPS://api.example:443", "https://api.example"),
    ("https://api.example:8443/a?b#c", "https://api.example:8443"), ("http://api.example:80/", "http://api.example"),
    ("http://u:p@api.example/x", "http://api.example"), ("http://u@x@api.example", "http://api.example"),
    ("http://api.example/@evil.example", "http://api.example"),
    ("http://api.example?@evil.example", "http://api.example"),
    ("http://[::1]:4000/graphql", "http://[::1]:4000"), ("http://[::FFFF:1]", "http://[::ffff:1]"),
    ("http://127.0.0.1:4000/graphql", "http://127.0.0.1:4000"), ("http://bücher.example/", "http://bücher.example"),
    ("http://a.example:", "http://a.example"), ("http://good.example/\u{301}@evil.example", "http://good.example"),
  ])
  func `an origin is scheme, host and effective port`(url: String, origin: String) {
    #expect(Origin(url: url)?.description == origin)
    #expect(Origin(url: origin) == Origin(url: url))
  }

  @Test(
    arguments: [
      ("https://Birds.Example:443", "https://birds.example"), ("http://localhost:8080", "http://localhost:8080"),
      ("Chrome-Extension://AbcD", "chrome-extension://abcd"), ("null", nil), ("", nil), ("birds.example", nil),
      ("https://birds.example/", nil), ("https://birds.example?", nil), ("https://birds.example#", nil),
      ("https://a@birds.example", nil), ("https://", nil), ("http://a:0", nil), ("x://", nil), ("1://a", nil),
      ("x://a/b", nil), ("x://a b", nil), ("x://a,b", nil), ("x://é", nil), ("://a", nil),
    ] as [(String, String?)])
  func `the origin of a page has no path, and the scheme of a site or an extension`(origin: String, name: String?) {
    #expect(PageOrigin.name(of: origin) == name)
  }

  @Test(arguments: [
    "", "api.example/graphql", "ftp://api.example", "ws://api.example", "http://", "http:///x", "http://a b/",
    "http://good.example\\@evil.example/", "http://a.example\\.evil.example/", "http://a%2eb/", "http://a:b/",
    "http://a:0/", "http://a:65536/", "http://a:+80/", "http://[::1/", "http://[::1]x/", "http://a:1:2/",
    "{{base}}/graphql",
    "http://good.example\u{301}\\@evil.example:1/", "http://a\n/", "http://u p@a/",
  ])
  func `an ambiguous URL has no origin`(url: String) {
    #expect(Origin(url: url) == nil)
  }
}
