import GraphQLLanguage
import GraphQLLanguageService
import GraphQLSchema
import GraphQLValidation
import JSON
import Synchronization

/// Reads texts beside the loop: what is wrong in them, what could stand at the cursor, how they look formatted.
package final class TextService: Sendable {
  private let loaded = Mutex<Schema?>(nil)

  package init() {}

  package var schema: Schema? {
    get { loaded.withLock { $0 } }
    set { loaded.withLock { $0 = newValue } }
  }

  package func analyse(_ text: TextBuffer, version: Int) -> TextAnalysis {
    let document = Document(parsing: text.text)
    let places = LinePlaces(text)
    let isBlank = text.lines.allSatisfy { $0.allSatisfy(\.isWhitespace) }
    return TextAnalysis(
      version: version,
      diagnostics: isBlank
        ? []
        : diagnostics(of: document).map { Diagnostic(range: places.range(of: $0.range), message: $0.message) },
      operations: document.operations.map { operation in
        let range = places.range(of: operation.range)
        return TextAnalysis.Operation(
          name: operation.name?.value, kind: operation.operation.rawValue,
          lines: range.lowerBound.line...range.upperBound.line)
      })
  }

  /// What is wrong, each with the part of it that is underlined: of a field its name, not all that is selected in it.
  ///
  /// In a text that does not parse most rules would complain of what is only not yet written.
  private func diagnostics(of document: Document) -> [(range: Range<Int>, message: String)] {
    let isWhole = document.diagnostics.isEmpty
    let rules =
      isWhole ? Validator.specifiedRules : Validator.specifiedRules.filter { TextService.early.contains($0.name) }
    let errors = Validator.validate(document, schema: schema, rules: rules)
    return document.diagnostics.map { (range: $0.range, message: $0.message) }
      + errors.compactMap { error in
        error.ranges.first.map { (range: head(of: $0, in: document.source.bytes), message: error.message) }
      }
  }

  private static let early: Set<String> = [
    "FieldsOnCorrectTypeRule", "KnownArgumentNamesRule", "KnownTypeNamesRule", "KnownDirectivesRule",
  ]

  private func head(of range: Range<Int>, in bytes: some RandomAccessCollection<UInt8>) -> Range<Int> {
    var end = range.lowerBound
    for byte in bytes.dropFirst(range.lowerBound).prefix(range.count) {
      if end > range.lowerBound, [UInt8(ascii: "{"), UInt8(ascii: "("), 10].contains(byte) { break }
      end += 1
    }
    while end > range.lowerBound + 1, bytes.dropFirst(end - 1).first == 32 { end -= 1 }
    return range.lowerBound..<end
  }

  package func complete(_ text: TextBuffer, at position: TextPosition) -> [Completion] {
    let service = LanguageService(document: Document(parsing: text.text), schema: schema)
    let places = LinePlaces(text)
    return service.complete(at: text.offset(of: position)).map { item in
      Completion(
        label: item.label, kind: item.kind.rawValue, type: item.type, documentation: item.documentation,
        insertText: item.insertText, cursor: item.snippet.stops.first, isDeprecated: item.isDeprecated,
        replaces: places.range(of: item.replaces))
    }
  }

  /// `nil` for a text with syntax errors: what could not be read must not be written anew.
  package func format(_ text: TextBuffer) -> String? {
    let document = Document(parsing: text.text)
    guard document.diagnostics.isEmpty else { return nil }
    var formatted = Formatter.format(document)
    while formatted.last?.isNewline ?? false { formatted.removeLast() }
    return formatted
  }

  /// The variables must be a JSON object that has what the operation requires and nothing that it does not know.
  package func analyseVariables(
    _ text: TextBuffer, version: Int, query: TextBuffer, offset: Int
  ) -> TextAnalysis {
    guard !text.lines.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) else { return TextAnalysis(version: version) }
    let bytes = Array(text.text.utf8)
    let whole = TextPosition.start..<TextPosition(0, text.line(0).utf8.count)
    let value: JSONValue
    do {
      value = try JSONDocument(parsing: bytes).root
    } catch {
      let place = LinePlaces(text).position(of: min(error.offset, bytes.count))
      let end = TextPosition(place.line, min(place.column + 1, text.line(place.line).utf8.count))
      let range = place < end ? place..<end : TextPosition(place.line, max(0, place.column - 1))..<place
      return TextAnalysis(version: version, diagnostics: [Diagnostic(range: range, message: error.message)])
    }
    guard value.kind == .object else {
      return TextAnalysis(
        version: version, diagnostics: [Diagnostic(range: whole, message: "Variables are a JSON object")])
    }
    let document = Document(parsing: query.text)
    guard let operation = LanguageService(document: document, schema: nil).operation(at: offset) else {
      return TextAnalysis(version: version)
    }
    let definitions = operation.variableDefinitions
    var diagnostics: [Diagnostic] = []
    for (name, _) in value.members where !definitions.contains(where: { $0.variable.name.value == name }) {
      let title = operation.name.map { "\"\($0.value)\"" } ?? "The operation"
      diagnostics.append(
        Diagnostic(
          range: text.range(ofKey: name) ?? whole, message: "\(title) has no variable \"$\(name)\"", severity: .warning)
      )
    }
    for definition in definitions where definition.type.kind == .nonNull && definition.defaultValue == nil {
      let name = definition.variable.name.value
      guard value[name]?.isNull ?? true else { continue }
      let type = definition.type.description
      diagnostics.append(
        Diagnostic(range: text.range(ofKey: name) ?? whole, message: "\"$\(name)\" of type \(type) has no value"))
    }
    return TextAnalysis(version: version, diagnostics: diagnostics)
  }
}

/// Offsets of a text as positions, found by halving.
private struct LinePlaces {
  private let starts: [Int]
  private let end: TextPosition

  init(_ text: TextBuffer) {
    var starts: [Int] = []
    starts.reserveCapacity(text.lineCount)
    var offset = 0
    for line in text.lines {
      starts.append(offset)
      offset += line.utf8.count + 1
    }
    self.starts = starts
    end = text.end
  }

  func position(of offset: Int) -> TextPosition {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return min(TextPosition(low, offset - starts[low]), end)
  }

  func range(of offsets: Range<Int>) -> Range<TextPosition> {
    let start = position(of: offsets.lowerBound)
    return start..<max(start, position(of: offsets.upperBound))
  }
}

extension TextBuffer {
  /// Where a key of a JSON object is written.
  fileprivate func range(ofKey key: String) -> Range<TextPosition>? {
    let written = "\"\(key)\""
    for (index, line) in lines.enumerated() {
      guard let range = line.firstRange(of: written) else { continue }
      let start = line.utf8.distance(from: line.startIndex, to: range.lowerBound)
      return TextPosition(index, start)..<TextPosition(index, start + written.utf8.count)
    }
    return nil
  }
}
