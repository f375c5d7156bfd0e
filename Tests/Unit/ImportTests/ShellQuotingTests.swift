import ApusClientFormats
import ApusClientImports
import ApusTestSupport
import Testing

/// Words are compared with those that bash prints.
@Suite(.timeLimit(.minutes(1))) struct ShellQuotingTests {
  static let words: [String] = [
    #"a b"#, #"'a b' c"#, #"'a'b"c"d"#, #"'' "" x"#, #"x "a\"b" "a\\b" "a\$b" "a\`b""#, #""a\nb\a\x""#,
    #"a\ b \'c \"d \\e \$f"#, #"$'a\nb\tc\rd'"#, #"$'\a\b\e\E\f\v'"#, #"$'\\ \' \" \?'"#, #"$'\041\0410\41x\7\377'"#,
    #"$'\x41\x4a\x4Ab\xe\xg'"#, #"$'\xc3\xa9\xf0\x9f\x90\xa6'"#, #"$'\303\251'"#, #"$'\x{41}\x{263a}z'"#,
    #"$'\u0041\u41\u4g\u00e9\u263a'"#, #"$'\U0001F426\U41z\U1F426'"#, #"$'\ug\Ug'"#, #"$'\ca\cA\c?\c[\c@'"#,
    #"$'a\cMb' $'\c\\x'"#, #"$'\q\w\ \/'"#, #"$'a\0b'c $'x\x00y'z"#, #"$"a b" $"a\"b""#, #"a$'b'c$"d"e"#,
    #""$'a'" "$""#, #"'$HOME' '$(id)' '`id`'"#, #"\$HOME \$\(id\) \`id\`"#, ##"a#b '#c' \#d"##, "a \\\n b\\\nc",
    "'a\\\nb' \"a\\\nb\"", "\"a\nb\" 'c\nd'", "a\tb 'c\td'", #"a=b 'c=d' x="y z""#, #"a\;b \|c \&d \<e \>f \(g \)h"#,
    #"'{"query":"{ a }"}'"#, #"$'{"query":"query ($id: ID\041) { a }"}'"#, #"{\"a\":1} "{}""#,
    #"é 'ü' "ß" $'ö\xc3\xb6'"#,
    #"'it'\''s' "it's" it\'s"#, #""a!b" 'a!b' a!b"#, #"\a\b\n"#, #""\"" '\' '\\'"#, #"-H 'A: b' --data-raw $'x'"#,
    #"\é "\é""#, #"$'\é'"#, #"%20 ^x ~a +b @c :d ,e ]f"#, #"$'\1\12\123\1234' $'\8\9'"#, #"$ a$ "a$" $'$'"#,
    #""\\\\" "\\\"" '\"'"#, #"$'\x' $'\u' $'\U' $'\x{}'"#, "# comment 'open", "a # b 'c",
  ]

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func bash(_ script: String) async throws -> String {
    let outcome = try await ChildProcess.run(
      "/bin/bash", ["--norc", "-c", "( \(script)\n) | od -An -v -tx1"], environment: ["LC_ALL": "C.UTF-8"])
    try #require(outcome.exitCode == 0, "\(outcome.errors)")
    return outcome.output.filter { !$0.isWhitespace }
  }

  @Test(arguments: words) func `words are those of bash`(_ line: String) async throws {
    let expected = try await bash("printf '%s\\0' x \(line)")
    let words = ShellScript("printf \(line)".utf8).words
    var found = [UInt8(ascii: "x"), 0]
    for word in words.dropFirst() { found += word + [0] }
    #expect(Self.hexadecimal(found) == expected, "\(line): \(words.map { String(decoding: $0, as: UTF8.self) })")
  }

  /// Parts of words that are complete, so that each combination of them is a word.
  private static func part(_ random: inout SplitMix) -> String {
    let kinds: [(start: String, end: String, units: [String])] = [
      ("'", "'", ["a", " ", "\"", "\\", "$", "`", "é", "\n", "!", "#", "\\\n"]),
      ("\"", "\"", ["a", " ", "\\\"", "\\\\", "\\$", "\\`", "\\a", "\\n", "'", "é", "\\\n", "\n", "$ ", "#"]),
      (
        "$'", "'",
        [
          "a", "\"", "\\'", "\\\\", "\\n", "\\041", "\\7", "\\x41", "\\x4", "\\u41", "\\u00e9", "\\U1F426", "\\cA",
          "\\e", "\\q", " ", "\n", "$", "`", "\\?", "\\\"", "\\1234", "\\xag", "\\u{", "é",
        ]
      ),
      ("$\"", "\"", ["a", " ", "\\\"", "'", "\\\\"]),
      (
        "", "",
        ["a", "\\ ", "\\'", "\\\"", "\\\\", "\\;", "é", "=", "-", "%20", "\\\n", "^", "@", ":", ",", "\\$", "\\é"]
      ),
    ]
    let kind = kinds.randomElement(using: &random) ?? kinds[0]
    let count = Int.random(in: 1...4, using: &random)
    return kind.start + (0..<count).map { _ in kind.units.randomElement(using: &random) ?? "" }.joined() + kind.end
  }

  @Test func `random words are those of bash`() async throws {
    var random = SplitMix(seed: 43)
    let lines = (0..<400).map { _ in
      (0..<3).map { _ in "x" + (0..<3).map { _ in Self.part(&random) }.joined() }.joined(separator: " ")
    }
    let expected = try await bash(lines.map { "printf '%s\\0' \($0)\nprintf '\\1'" }.joined(separator: "\n"))
    let found = lines.map { line in
      let words = ShellScript("printf \(line)".utf8).words.dropFirst()
      return Self.hexadecimal(words.flatMap { $0 + [0] }) + "01"
    }
    for (line, found) in zip(lines, found) where !expected.contains(found) {
      Issue.record("\(line): \(found)")
    }
    #expect(found.joined() == expected)
  }

  /// The text of a here-document, as `cat` prints it and as a request has it.
  @Test(arguments: [
    "<<EOF\na 'b' \"c\" \\\"d\\\" \\$e \\\\f \\g\nEOF", "<<'EOF'\na \\$b \\\\c\nEOF", "<<-EOF\n\ta\n\t\tb\n\tEOF",
    "<<\"E F\"\nx\nE F", "<<\\EOF\n\\$x\nEOF", "<<EOF\na\\\nb\nEOF", "<<EOF\nEOF", "<<< 'a b'", "<<< $'a\\nb'", "<<<x",
  ])
  func `here documents are those of bash`(_ document: String) async throws {
    let expected = try await bash("cat \(document)")
    let words = ShellScript("x=\"$(cat \(document)\n)\" ; y \"$(cat \(document)\n)\"".utf8).words
    let text = try #require(words.last)
    // A substitution drops the line ends.
    var bytes = text
    while !expected.isEmpty, Self.hexadecimal(bytes).utf8.count < expected.utf8.count {
      bytes.append(UInt8(ascii: "\n"))
    }
    #expect(Self.hexadecimal(bytes) == expected, "\(String(decoding: text, as: UTF8.self))")
  }

  /// bash reads exported words unchanged.
  @Test(arguments: ["a b", "it's", "$(id) `id` $HOME", "a\nb", "\\", "'", "", "é\u{301}", "{}!#~*?[]", "-x"])
  func `a quoted word is read back by bash`(_ word: String) async throws {
    let quoted = ShellWords.quoted(word)
    let expected = Self.hexadecimal(Array(word.utf8) + [0])
    #expect(try await bash("printf '%s\\0' \(quoted)") == expected)
    #expect(ShellScript("x \(quoted)".utf8).words.last == Array(word.utf8))
  }
}
