import ApusConfiguration
import Foundation
import Testing

/// Files of environment variables, such as `.env`.
struct EnvironmentFileTests {
  @Test(arguments: [
    ("A=b", "b"), ("A = b c ", "b c"), ("export A=b", "b"), ("A=b # c", "b"), ("A=b#c", "b#c"), ("A=", ""),
    ("A='b # c' # d", "b # c"), (#"A="b \"c\"\n""#, "b \"c\"\n"), (#"A='b\n'"#, #"b\n"#), ("A=$B$(c)", "$B$(c)"),
    ("A=b=c", "b=c"), ("A= # c", ""), ("A=#c", "#c"), ("A=\t# c", ""), ("A=b\t# c", "b"), ("A=b# c", "b# c"),
    ("A=b # c # d", "b"), ("A = 'b'\t# c", "b"), ("A=   ", ""), ("A=# # c", "#"),
  ])
  func `values are parsed`(line: String, value: String) throws {
    let file = try EnvironmentFile(parsing: "# first\n\n\(line)\r\n", file: ".env")
    #expect(file.variables.map { [$0.name, $0.value] } == [["A", value]])
  }

  @Test func `the environment takes precedence over the file`() throws {
    let file = try EnvironmentFile(parsing: "A=file\nB=first\nB=second\nPATH=evil\n", file: ".env")
    #expect(file.completing(["A": "shell", "C": "c"]) == ["A": "shell", "B": "first", "C": "c", "PATH": "evil"])
  }

  /// Variables of a file are not added to the environment of this process or its children.
  @Test func `reading a file does not change the process environment`() throws {
    let file = try EnvironmentFile(parsing: "APUS_TEST_SMUGGLED=x\n", file: ".env")
    #expect(file.completing(ProcessEnvironment.variables)["APUS_TEST_SMUGGLED"] == "x")
    #expect(getenv("APUS_TEST_SMUGGLED") == nil)
    #expect(try CommandOutput.of("echo ${APUS_TEST_SMUGGLED:-clean}") == "clean")
  }

  @Test(arguments: ["hush", "=hush", "1A=hush", "A-B=hush", "A=\"hush", "A='hush' more", "export"])
  func `an invalid line is reported by location without its text`(line: String) throws {
    let error = #expect(throws: ConfigurationError.self) {
      _ = try EnvironmentFile(parsing: "A=1\n\(line)\n", file: "x.env")
    }
    #expect(error?.description == "x.env:2:1: this is not NAME=value")
  }
}
