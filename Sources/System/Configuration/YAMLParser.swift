import ApusSecrets
import CApusYAML

/// Parses one YAML document into a tree.
///
/// Configuration files are small and written by hand, so aliases, deep nesting and files above 1 MiB are rejected. They
/// could make a small file expensive.
package enum YAMLParser {
  package static let maximumSize = 1 << 20
  package static let maximumDepth = 64

  package struct Limits: Sendable {
    var size: Int
    /// The maximum number of nodes that aliases repeat. A few lines of `&a [*b, *b]` could otherwise describe a billion
    /// nodes. With 0, aliases are rejected.
    var repeatedNodes: Int

    package static let configuration = Limits(size: maximumSize, repeatedNodes: 0)
    /// For a file that a program wrote, such as an export of requests.
    package static let export = Limits(size: 32 << 20, repeatedNodes: 100_000)
  }

  /// Parses a document. An empty file is a plain, empty scalar.
  package static func parse(
    _ bytes: [UInt8], file: String, limits: Limits = .configuration
  ) throws(ConfigurationError) -> YAMLNode {
    guard bytes.count <= limits.size else {
      throw ConfigurationError(file: file, "the file is larger than \(limits.size / 1024) KiB")
    }
    let result = bytes.withUnsafeBufferPointer { bytes -> Result<YAMLNode, ConfigurationError> in
      guard var events = EventReader(bytes, file: file, limits: limits) else {
        return .failure(ConfigurationError(file: file, "there is not enough memory to read the file"))
      }
      defer { events.finish() }
      do throws(ConfigurationError) {
        return .success(try events.document())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  package static func parse(
    _ text: String, file: String, limits: Limits = .configuration
  ) throws(ConfigurationError) -> YAMLNode {
    try parse(Array(text.utf8), file: file, limits: limits)
  }
}

/// Converts libyaml's events to nodes. The bytes must outlive it, and `finish` must be called.
private struct EventReader {
  private let file: String
  /// Allocated on the heap, because libyaml keeps a pointer to it.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let limits: YAMLParser.Limits
  /// Nodes with an anchor, and their sizes.
  private var anchors: [String: (node: YAMLNode, size: Int)] = [:]
  private var size = 0
  private var repeatedNodes = 0

  init?(_ bytes: UnsafeBufferPointer<UInt8>, file: String, limits: YAMLParser.Limits) {
    self.file = file
    self.limits = limits
    parser = .allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      return nil
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    // Some editors write a byte order mark, which is not part of the text (YAML 1.2, section 5.2).
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? UnsafeBufferPointer(rebasing: bytes.dropFirst(3)) : bytes
    yaml_parser_set_input_string(parser, text.baseAddress, text.count)
  }

  func finish() {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  mutating func document() throws(ConfigurationError) -> YAMLNode {
    var event = try next()
    while event.kind == .preamble { event = try next() }
    guard event.kind != .streamEnd else {
      return YAMLNode(value: .scalar("", isPlain: true), position: event.position, file: file)
    }
    let root = try node(event, depth: 0)
    event = try next()
    while event.kind == .preamble { event = try next() }
    guard event.kind == .streamEnd else {
      throw ConfigurationError(file: file, at: event.position, "the file must contain only one document")
    }
    return root
  }

  private struct Event {
    enum Kind { case preamble, streamEnd, scalar, sequenceStart, mappingStart, end, alias }
    var kind: Kind
    var position: YAMLPosition
    /// The text of a scalar, or the anchor that an alias refers to.
    var text = ""
    var isPlain = false
    var anchor: String?
  }

  /// Reads a node. Repeated nodes count each time.
  private mutating func node(_ event: Event, depth: Int) throws(ConfigurationError) -> YAMLNode {
    if event.kind == .alias || event.anchor != nil, limits.repeatedNodes == 0 {
      throw ConfigurationError(
        file: file, at: event.position, "anchors and aliases (&, *) are not supported; write the value out")
    }
    let start = size
    let node = try plainNode(event, depth: depth)
    size += 1
    if let anchor = event.anchor { anchors[anchor] = (node, size - start) }
    return node
  }

  private mutating func repeated(_ event: Event) throws(ConfigurationError) -> YAMLNode {
    guard let target = anchors[event.text] else {
      throw ConfigurationError(file: file, at: event.position, "the anchor '\(printable(event.text))' does not exist")
    }
    size += target.size
    repeatedNodes += target.size
    guard repeatedNodes <= limits.repeatedNodes else {
      throw ConfigurationError(file: file, at: event.position, "the aliases repeat too many values; write them out")
    }
    return target.node
  }

  private mutating func plainNode(_ event: Event, depth: Int) throws(ConfigurationError) -> YAMLNode {
    let file = file
    func node(_ value: YAMLNode.Value) -> YAMLNode { YAMLNode(value: value, position: event.position, file: file) }
    guard depth < YAMLParser.maximumDepth else { throw node(.sequence([])).error("the file is nested too deeply") }
    switch event.kind {
    case .scalar:
      return node(.scalar(event.text, isPlain: event.isPlain))
    case .sequenceStart:
      var elements: [YAMLNode] = []
      var next = try next()
      while next.kind != .end {
        elements.append(try self.node(next, depth: depth + 1))
        next = try self.next()
      }
      return node(.sequence(elements))
    case .mappingStart:
      var members: [YAMLNode.Member] = []
      var keys: Set<String> = []
      var next = try next()
      while next.kind != .end {
        guard next.kind == .scalar, next.anchor == nil else {
          throw ConfigurationError(file: file, at: next.position, "a key must be a single value")
        }
        guard keys.insert(next.text).inserted else {
          throw ConfigurationError(file: file, at: next.position, "the key '\(printable(next.text))' occurs twice")
        }
        let value = try self.node(try self.next(), depth: depth + 1)
        members.append(YAMLNode.Member(key: next.text, keyPosition: next.position, value: value))
        next = try self.next()
      }
      return node(.mapping(members))
    case .alias: return try repeated(event)
    case .preamble, .streamEnd, .end:
      throw node(.sequence([])).error("a value is missing")
    }
  }

  private func next() throws(ConfigurationError) -> Event {
    var raw = yaml_event_t()
    guard yaml_parser_parse(parser, &raw) == 1 else { throw failure }
    defer { yaml_event_delete(&raw) }
    var event = Event(kind: .preamble, position: Self.position(raw.start_mark))
    switch raw.type {
    case YAML_STREAM_END_EVENT: event.kind = .streamEnd
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: event.kind = .end
    case YAML_ALIAS_EVENT:
      event.kind = .alias
      event.text = Self.text(raw.data.alias.anchor) ?? ""
    case YAML_SEQUENCE_START_EVENT:
      event.kind = .sequenceStart
      event.anchor = Self.text(raw.data.sequence_start.anchor)
    case YAML_MAPPING_START_EVENT:
      event.kind = .mappingStart
      event.anchor = Self.text(raw.data.mapping_start.anchor)
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      event.kind = .scalar
      event.anchor = Self.text(scalar.anchor)
      event.text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      event.isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
    default: break
    }
    return event
  }

  private var failure: ConfigurationError {
    if parser.pointee.error == YAML_READER_ERROR {
      return ConfigurationError(
        file: file, "the file is not UTF-8 text (at byte \(parser.pointee.problem_offset))")
    }
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "the file is not YAML"
    let context = parser.pointee.context.map { " \(String(cString: $0))" } ?? ""
    return ConfigurationError(file: file, at: Self.position(parser.pointee.problem_mark), problem + context)
  }

  private static func text(_ name: UnsafeMutablePointer<yaml_char_t>?) -> String? { name.map { String(cString: $0) } }

  private static func position(_ mark: yaml_mark_t) -> YAMLPosition {
    YAMLPosition(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}
