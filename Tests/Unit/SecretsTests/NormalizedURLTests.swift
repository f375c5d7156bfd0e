import ApusSecrets
import Testing

@Suite struct NormalizedURLTests {
  @Test(arguments: [
    ("HTTP://API.Example:80/GraphQL", "http://api.example/GraphQL"), ("https://a.example:443", "https://a.example/"),
    ("https://a.example:/x#part", "https://a.example/x"), ("https://a.example?q=1", "https://a.example/?q=1"),
    ("https://Ada:Pass@A.example/x", "https://Ada:Pass@a.example/x"), ("http://[::1]:4000/", "http://[::1]:4000/"),
    ("https://a.example/x/", "https://a.example/x/"), ("https://a.example:8443/x", "https://a.example:8443/x"),
    ("staging", "staging"), ("ftp://A.example/x", "ftp://A.example/x"), ("https://a\\b/x", "https://a\\b/x"),
  ])
  func `equivalent URLs have one form`(url: String, form: String) {
    #expect(NormalizedURL.of(url) == form)
    #expect(NormalizedURL.of(form) == form)
  }
}
