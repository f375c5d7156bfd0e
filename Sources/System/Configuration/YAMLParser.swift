import ApusSecrets
import CApusYAML

/// Parses one YAML document into a tree.
///
/// The files are small and written by hand, so aliases, deep nesting and files above 1 MiB are rejected. They could
/// make a small file expensive.
package enum YAMLParser {
  package static let maximumSize = 1 << 20
  package static let maximumDepth = 64

  /// Parses a document. An empty file is a plain, empty scalar.
  package static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> YAMLNode {
    guard bytes.count <= maximumSize else {
      throw ConfigurationError(file: file, "the file is larger than \(maximumSize / 1024) KiB")
    }
    let result = bytes.withUnsafeBufferPointer { bytes -> Result<YAMLNode, ConfigurationError> in
      guard let events = EventReader(bytes, file: file) else {
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

  package static func parse(_ text: String, file: String) throws(ConfigurationError) -> YAMLNode {
    try parse(Array(text.utf8), file: file)
  }
}

/// Converts libyaml's events to nodes. The bytes must outlive it, and `finish` must be called.
private struct EventReader {
  private let file: String
  /// Allocated on the heap, because libyaml keeps a pointer to it.
  private let parser: UnsafeMutablePointer<yaml_parser_t>

  init?(_ bytes: UnsafeBufferPointer<UInt8>, file: String) {
    self.file = file
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

  func document() throws(ConfigurationError) -> YAMLNode {
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
    var text = ""
    var isPlain = false
  }

  private func node(_ event: Event, depth: Int) throws(ConfigurationError) -> YAMLNode {
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
      var known: Set<String> = []
      var next = try next()
      while next.kind != .end {
        guard next.kind == .scalar else {
          throw ConfigurationError(file: file, at: next.position, "a key must be a single value")
        }
        guard known.insert(next.text).inserted else {
          throw ConfigurationError(file: file, at: next.position, "the key '\(printable(next.text))' occurs twice")
        }
        let value = try self.node(try self.next(), depth: depth + 1)
        members.append(YAMLNode.Member(key: next.text, keyPosition: next.position, value: value))
        next = try self.next()
      }
      return node(.mapping(members))
    default:
      throw node(.sequence([])).error("anchors and aliases (&, *) are not supported; write the value out")
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
    case YAML_ALIAS_EVENT: event.kind = .alias
    case YAML_SEQUENCE_START_EVENT:
      event.kind = raw.data.sequence_start.anchor == nil ? .sequenceStart : .alias
    case YAML_MAPPING_START_EVENT:
      event.kind = raw.data.mapping_start.anchor == nil ? .mappingStart : .alias
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      event.kind = scalar.anchor == nil ? .scalar : .alias
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

  private static func position(_ mark: yaml_mark_t) -> YAMLPosition {
    YAMLPosition(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}
