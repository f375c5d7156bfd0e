/// Builds the flat tree of a document. It never fails: it reports each error once, adds missing nodes where the grammar
/// requires them, and continues at the next plausible token. `{ bird(id: ) { name } }` has one error, and an argument
/// with a missing value.
struct Parser {
  var lexer: Lexer
  let limits: ParserLimits
  /// The limit on diagnostics, because hostile documents have one at every byte.
  static let maximumDiagnostics = 1000
  /// Whether this is the second pass over a document with unclosed braces, in which a keyword of a definition at the
  /// start of a line ends everything that is open.
  let isRecovering: Bool

  var nodes: ContiguousArray<SyntaxNode> = []
  var diagnostics: [SyntaxDiagnostic] = []
  /// Whether the text ended inside braces or parentheses.
  var endedInside = false

  // The current token, and the end of the previous one.
  var kind = TokenKind.endOfFile
  var start = 0
  var end = 0
  var previousEnd = 0

  private var depth = 0
  private var tokenCount = 0
  private var isAborted = false

  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ParserLimits, isRecovering: Bool = false) {
    lexer = Lexer(bytes)
    self.limits = limits
    self.isRecovering = isRecovering
    nodes.reserveCapacity(bytes.count / 9 + 8)
  }

  mutating func parseDocument() {
    let root = open(.document)
    advance()
    if kind == .endOfFile { reportUnexpected() }
    while kind != .endOfFile {
      let before = lexer.position
      parseDefinition()
      if lexer.position == before, kind != .endOfFile { skipToDefinition() }
    }
    nodes[Int(root)].start = 0
    previousEnd = lexer.count
    close(root)
  }

  // MARK: Tokens

  @inline(__always)
  mutating func advance() {
    previousEnd = end
    var next = lexer.next()
    if lexer.failure != nil { next = skipInvalidToken(next) }
    kind = next
    start = lexer.start
    end = lexer.position
    tokenCount += 1
    if tokenCount > limits.tokens, next != .endOfFile {
      abort("Document contains more than \(limits.tokens) tokens. Parsing aborted.")
    }
  }

  /// Reports an invalid token and returns its replacement, or the next token if there is none.
  private mutating func skipInvalidToken(_ first: TokenKind) -> TokenKind {
    var next = first
    while let failure = lexer.failure {
      lexer.failure = nil
      report(failure.message, at: failure.range)
      if next != .invalid { break }
      next = lexer.next()
    }
    return next
  }

  /// Returns the token after the current one without advancing. An invalid token is reported.
  mutating func lookahead() -> (kind: TokenKind, start: Int, end: Int) {
    var copy = lexer
    copy.failure = nil
    var next = copy.next()
    if let failure = copy.failure { report(failure.message, at: failure.range) }
    while next == .invalid { next = copy.next() }
    return (next, copy.start, copy.position)
  }

  @inline(__always)
  func isKeyword(_ keyword: StaticString) -> Bool {
    kind == .name && isText(start, end, keyword)
  }

  @inline(__always)
  func isText(_ start: Int, _ end: Int, _ text: StaticString) -> Bool {
    guard end - start == text.utf8CodeUnitCount else { return false }
    let expected = text.utf8Start
    for index in 0..<(end - start) where lexer.base[start + index] != expected[index] { return false }
    return true
  }

  @discardableResult
  mutating func expect(_ expected: TokenKind) -> Bool {
    if kind == expected {
      advance()
      return true
    }
    reportExpected(expected.words)
    return false
  }

  mutating func skip(_ expected: TokenKind) -> Bool {
    if kind == expected {
      advance()
      return true
    }
    return false
  }

  @discardableResult
  mutating func expectKeyword(_ keyword: StaticString) -> Bool {
    if isKeyword(keyword) {
      advance()
      return true
    }
    reportExpected("\"\(keyword)\"")
    return false
  }

  // MARK: Nodes

  @inline(__always)
  mutating func open(_ kind: SyntaxKind, _ flags: SyntaxFlags = []) -> NodeID {
    let id = NodeID(truncatingIfNeeded: nodes.count)
    nodes.append(SyntaxNode(kind: kind, flags: flags, start: UInt32(truncatingIfNeeded: start), end: 0, next: id + 1))
    return id
  }

  @inline(__always)
  mutating func close(_ id: NodeID) {
    let next = NodeID(truncatingIfNeeded: nodes.count)
    let index = Int(id)
    nodes[index].next = next
    // A node with only missing children is empty and stays at its start.
    nodes[index].end = max(UInt32(truncatingIfNeeded: previousEnd), nodes[index].start)
  }

  /// Adds a node for the current token and advances.
  @inline(__always)
  mutating func leaf(_ kind: SyntaxKind, _ flags: SyntaxFlags = []) {
    let id = NodeID(truncatingIfNeeded: nodes.count)
    nodes.append(
      SyntaxNode(
        kind: kind, flags: flags, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
        next: id + 1))
    advance()
  }

  /// Adds a node for a missing element, directly after the last token.
  mutating func missing(_ kind: SyntaxKind) {
    let id = NodeID(truncatingIfNeeded: nodes.count)
    let place = UInt32(truncatingIfNeeded: previousEnd)
    nodes.append(SyntaxNode(kind: kind, flags: .isMissing, start: place, end: place, next: id + 1))
  }

  mutating func setFlags(_ id: NodeID, _ flags: SyntaxFlags) {
    nodes[Int(id)].flags.formUnion(flags)
  }

  @discardableResult
  @inline(__always)
  mutating func parseName(_ node: SyntaxKind = .name) -> Bool {
    if kind == .name {
      leaf(node)
      return true
    }
    reportExpected(TokenKind.name.words)
    missing(node)
    return false
  }

  // MARK: Limits

  /// Enters a nested level; returns false and ends the parse at the depth limit.
  mutating func descend() -> Bool {
    depth += 1
    if depth > limits.depth {
      abort("Document nests deeper than \(limits.depth) levels. Parsing aborted.")
      return false
    }
    return true
  }

  mutating func ascend() { depth -= 1 }

  private mutating func abort(_ message: String) {
    diagnostics.append(SyntaxDiagnostic(message: message, range: start..<end))
    isAborted = true
    lexer.position = lexer.count
    kind = .endOfFile
    start = lexer.count
    end = lexer.count
  }

  // MARK: Diagnostics

  mutating func report(_ message: String, at range: Range<Int>) {
    // A second error at the same position is a consequence of the first.
    guard !isAborted, diagnostics.last?.range.lowerBound != range.lowerBound,
      diagnostics.count < Self.maximumDiagnostics
    else { return }
    diagnostics.append(SyntaxDiagnostic(message: message, range: range))
  }

  mutating func reportExpected(_ expected: String) {
    report("Expected \(expected), found \(describe(kind, start, end)).", at: start..<end)
  }

  mutating func reportUnexpected() {
    report("Unexpected \(describe(kind, start, end)).", at: start..<end)
  }

  func describe(_ kind: TokenKind, _ start: Int, _ end: Int) -> String {
    switch kind {
    case .name, .int, .float:
      "\(kind.words) \"\(text(start, end))\""
    case .string:
      "String \"\(StringDecoder.value(bytes(start, end), isBlock: false))\""
    case .blockString:
      "BlockString \"\(StringDecoder.value(bytes(start, end), isBlock: true))\""
    default: kind.words
    }
  }

  func bytes(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: lexer.base + start, count: end - start)
  }

  func text(_ start: Int, _ end: Int) -> String { String(decoding: bytes(start, end), as: UTF8.self) }
}
