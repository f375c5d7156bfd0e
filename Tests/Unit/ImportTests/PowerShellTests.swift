import ApusSecrets
import Testing

@testable import ApusClientImports

/// Requests for PowerShell are refused with advice. Each row is a spelling, with the name of its file and the outcome.
struct PowerShellTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    var file = "a.txt"
    var isRefused = true
  }

  private static let cURL = #"curl https://a.example/g -d '{"query":"{ a }"}'"#

  static let refused = [
    Row(
      testDescription: "as Chrome copies it",
      text: """
        $session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
        $session.Cookies.Add((New-Object System.Net.Cookie("sid", "1", "/", "a.example")))
        Invoke-WebRequest -UseBasicParsing -Uri "https://a.example/g" `
        -Method "POST" `
        -Body "{`"query`":`"{ a }`"}"
        """),
    Row(
      testDescription: "as Firefox copies it",
      text: "Invoke-WebRequest -UseBasicParsing -Uri 'https://a.example/g' `\r\n-Method POST `\r\n-Body '{}'"),
    Row(
      testDescription: "as Postman writes it",
      text: "$body = \"{`\"query`\":`\"{ a }`\"}\"\n\n$response = Invoke-RestMethod 'https://a.example/g' -Body $body"),
    Row(
      testDescription: "session lines alone", text: "$s = New-Object Microsoft.PowerShell.Commands.WebRequestSession"),
    Row(testDescription: "a session of a type", text: "$s = [Microsoft.PowerShell.Commands.WebRequestSession]::new()"),
    Row(testDescription: "small letters", text: "invoke-webrequest https://a.example/g"),
    Row(testDescription: "capital letters", text: "INVOKE-RESTMETHOD https://a.example/g"),
    Row(testDescription: "the alias iwr", text: "iwr https://a.example/g"),
    Row(testDescription: "the alias irm with a parameter", text: "IRM -Uri a.example/g"),
    Row(testDescription: "an alias with a variable", text: "irm $url"),
    Row(testDescription: "an alias with a quoted URL", text: "irm 'a.example/g'"),
    Row(testDescription: "splatting", text: "$p = @{ Uri = 'https://a.example/g' }\nInvoke-RestMethod @p"),
    Row(testDescription: "splatting with an alias", text: "$p = @{ Uri = 'https://a.example/g' }\nirm @p"),
    Row(testDescription: "in a pipeline", text: "'{\"query\":\"{ a }\"}' | Invoke-RestMethod https://a.example/g"),
    Row(testDescription: "after a semicolon", text: "cd x; irm https://a.example/g"),
    Row(testDescription: "in parentheses", text: "(iwr https://a.example/g).Content"),
    Row(testDescription: "in a function", text: "function f {\n  Invoke-WebRequest https://a.example/g\n}"),
    Row(
      testDescription: "with its module", text: "Microsoft.PowerShell.Utility\\Invoke-WebRequest https://a.example/g"),
    Row(testDescription: "after the prompt", text: "PS C:\\Users\\ada> Invoke-WebRequest https://a.example/g"),
    Row(testDescription: "after comments", text: "# don't\n<# it's\nthis #>\niwr https://a.example/g"),
    Row(testDescription: "after a here-string", text: "$q = @'\nit's\n'@\nirm https://a.example/g -Body $q"),
    Row(testDescription: "a byte order mark", text: "\u{FEFF}Invoke-WebRequest https://a.example/g"),
    Row(testDescription: "a REST request", text: "Invoke-RestMethod https://a.example/birds"),
    Row(testDescription: "curl with backticks", text: "curl.exe -X POST https://a.example/g `\n  -d '{}'"),
    Row(testDescription: "curl with backticks and CRLF", text: "curl https://a.example/g `\r\n  -d '{}'"),
    Row(testDescription: "the alias curl", text: "curl -Uri https://a.example/g -Method Post"),
    Row(testDescription: "with a request of curl before it", text: cURL + "\nInvoke-WebRequest https://a.example/g"),
    Row(testDescription: "in a file for PowerShell", text: "iwr https://a.example/g", file: "a.ps1"),
    Row(testDescription: "curl in a file for PowerShell", text: "curl.exe https://a.example/g", file: "a.PS1"),
    Row(testDescription: "in a file for a shell", text: "iwr https://a.example/g", file: "a.sh"),
    Row(testDescription: "without a file name", text: "iwr https://a.example/g", file: ""),
  ]

  static let others = [
    Row(testDescription: "a field of this name", text: "{ irm id }"),
    Row(testDescription: "a field with a directive", text: "{\n  irm @include(if: $x)\n}"),
    Row(testDescription: "a field before another", text: "{ iwr httpStatus }"),
    Row(testDescription: "a name in a comment", text: "# Invoke-WebRequest\n{ a }"),
    Row(testDescription: "a name in a string", text: "echo 'Invoke-WebRequest https://a.example/g'"),
    Row(testDescription: "a name as an argument", text: "echo Invoke-WebRequest"),
    Row(testDescription: "another object", text: "$x = New-Object System.Text.StringBuilder"),
    Row(testDescription: "a script without requests", text: "Get-ChildItem | Out-File x", file: "a.ps1"),
  ]

  @Test(arguments: refused) func `a request for PowerShell is refused`(row: Row) {
    var collection = ImportedCollection()
    #expect(throws: ImportError.powerShell(row.file)) {
      try collection.add(UntrustedText(row.text), named: row.file)
    }
    // In several files it is one that was skipped.
    collection.addOne(UntrustedText(row.text), named: row.file, files: .none, isFound: true)
    #expect(collection.skipped == 1)
    #expect(collection.leftOut == ["\(row.file) is for PowerShell; copy it as cURL"])
  }

  @Test(arguments: others) func `other text with the names of PowerShell commands is not refused`(row: Row) {
    var collection = ImportedCollection()
    do {
      try collection.add(UntrustedText(row.text), named: row.file)
    } catch {
      #expect(error != .powerShell(row.file))
    }
    #expect(collection.requests.isEmpty && !collection.leftOut.contains { $0.contains("PowerShell") })
  }

  @Test(arguments: [
    cURL, "curl https://a.example/g -H 'x-a: `id`' \\\n  -d '{\"query\":\"{ a }\"}'",
    "curl https://a.example/g -H 'x-a: b\nInvoke-WebRequest c' -d '{\"query\":\"{ a }\"}'",
    "POST https://a.example/g\n\n{\"query\":\"{ a }\"}\n\n###\n# Invoke-WebRequest\nirm -x\n",
    "fetch('https://a.example/g', {method: 'POST', body: JSON.stringify({query: '{ a }'})}) // iwr http://x",
    "curl ^\"https://a.example/g^\" ^\n  -d ^\"^{^\\^\"query^\\^\":^\\^\"^{ a ^}^\\^\"^}^\"",
  ])
  func `other formats with these names are imported`(text: String) throws {
    var collection = ImportedCollection()
    try collection.add(UntrustedText(text), named: "")
    #expect(collection.requests.map(\.draft.query.text) == ["{ a }"])
  }

  @Test func `a code block for PowerShell is skipped, and the others are imported`() throws {
    var collection = ImportedCollection()
    let text = "```powershell\niwr https://a.example/g\n```\n\n```\n\(Self.cURL)\n```\n"
    try collection.add(UntrustedText(text), named: "a.md")
    #expect(collection.requests.map(\.draft.query.text) == ["{ a }"] && collection.skipped == 1)
    #expect(collection.leftOut == ["a request: it is for PowerShell; copy it as cURL"])
  }
}
