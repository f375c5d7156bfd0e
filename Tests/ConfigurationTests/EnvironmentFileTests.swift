import ApusConfiguration
import Foundation
import Testing

/// Files of variables, as `.env` files are written.
struct EnvironmentFileTests {
  @Test(arguments: [
    ("A=b", "b"), ("A = b c ", "b c"), ("export A=b", "b"), ("A=b # c", "b"), ("A=b#c", "b#c"), ("A=", ""),
    ("A='b # c' # d", "b # c"), (#"A="b \"c\"\n""#, "b \"c\"\n"), (#"A='b\n'"#, #"b\n"#), ("A=$B$(c)", "$B$(c)"),
    ("A=b=c", "b=c"),
  ])
  func aValueIsReadAsItIsWritten(line: String, value: String) throws {
    let file = try EnvironmentFile(parsing: "# first\n\n\(line)\r\n", file: ".env")
    #expect(file.variables.map { [$0.name, $0.value] } == [["A", value]])
  }

  /// A file of values names no program, nor where programs are or what is loaded into them.
  @Test(arguments: [
    ("EDITOR", true), ("VISUAL", true), ("BROWSER", true), ("PAGER", true), ("APUS_PAGER", true), ("PATH", true),
    ("LD_PRELOAD", true), ("DYLD_INSERT_LIBRARIES", true), ("GIT_SSH_COMMAND", true), ("LESSOPEN", true),
    ("OPENSSL_CONF", true), ("SSLKEYLOGFILE", true), ("SSL_CERT_FILE", true), ("GCONV_PATH", true), ("CURL_HOME", true),
    ("TOKEN", false), ("PATH_TO_SCHEMA", false), ("https_proxy", false), ("EDITOR_TOKEN", false),
  ])
  func whatSaysWhichProgramsAreStartedIsNotTaken(name: String, isRefused: Bool) throws {
    #expect(EnvironmentFile.isRefused(name) == isRefused)
    guard isRefused, getenv(name) == nil else { return }
    try EnvironmentFile(parsing: "\(name)=/tmp/evil\n", file: ".env").apply()
    #expect(getenv(name) == nil)
  }

  @Test(arguments: ["hush", "=hush", "1A=hush", "A-B=hush", "A=\"hush", "A='hush' more", "export"])
  func whatIsNoVariableIsToldByItsPlaceAndNotRepeated(line: String) throws {
    let error = #expect(throws: ConfigurationError.self) {
      _ = try EnvironmentFile(parsing: "A=1\n\(line)\n", file: "x.env")
    }
    #expect(error?.description == "x.env:2:1: this is not NAME=value")
  }
}
