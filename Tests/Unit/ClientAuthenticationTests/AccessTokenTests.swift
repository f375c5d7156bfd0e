import ApusASCII
import Testing

@testable import ApusClientAuthentication

struct AccessTokenTests {
  /// When a token is renewed, by its lifetime and the seconds since it was issued.
  private static let renewals: [(lifetime: Int?, age: Int, isRenewed: Bool)] = [
    (nil, 0, false), (nil, 1_000_000, false),
    (3600, 0, false), (3600, 3539, false), (3600, 3540, true), (3600, 3600, true), (3600, 5000, true),
    (240, 179, false), (240, 180, true), (8, 5, false), (8, 6, true), (1, 0, false), (1, 1, true), (0, 0, true),
  ]

  @Test func `a token is renewed a minute before it expires, or in the last quarter of a short lifetime`() {
    for (lifetime, age, isRenewed) in Self.renewals {
      let token = AccessToken("t", obtainedAt: 1000, expiresAt: lifetime.map { 1000 + $0 })
      #expect(token.needsRenewal(at: 1000 + age) == isRenewed, "\(String(describing: lifetime)) after \(age)")
    }
  }

  @Test func `a token that says when it expires needs no expires_in`() {
    let claims = Base64.encodeForURL(Array(#"{"sub":"amelia","exp":1700000000}"#.utf8))
    #expect(AccessToken("eyJhbGciOiJub25lIn0.\(claims).", obtainedAt: 1).expiresAt == 1_700_000_000)
    #expect(AccessToken("eyJhbGciOiJub25lIn0.\(claims).", obtainedAt: 1, expiresAt: 5).expiresAt == 5)
    for text in ["opaque", "a.b", "a.b.c.d", "a.!!.c", "a.\(Base64.encodeForURL(Array("{}".utf8))).c"] {
      #expect(AccessToken(text, obtainedAt: 1).expiresAt == nil, "\(text)")
    }
  }

  @Test(arguments: [nil, "rt"], [nil, 2000])
  func `a stored sign-in is read as it was written`(refresh: String?, expiry: Int?) {
    let token = AccessToken("at \"quoted\"", obtainedAt: 1000, expiresAt: expiry, refreshToken: refresh)
    let signIn = StoredSignIn(token, origins: ["https://a.example", "http://127.0.0.1:4000"])
    #expect(StoredSignIn(signIn.text) == signIn)
  }

  @Test(arguments: ["", "{}", "no json", "[]", #"{"access_token":""}"#, #"{"access_token":"a"}"#])
  func `other text in a store is not a sign-in`(text: String) {
    #expect(StoredSignIn(text) == nil)
  }
}
