import ApusAlgorithms
import ApusExplorerCore
import ApusExplorerText
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusGraphQLValidation
import Synchronization

/// Reads texts beside the loop: what is wrong in them, what could stand at the cursor, how they look formatted.
package final class TextService: Sendable {
  private let loaded = Mutex<Schema?>(nil)
  /// The schema as it was the last time, where that is known to differ.
  private let earlier = Mutex<(schema: Schema, age: String)?>(nil)
  let shared: SharedFragments

  /// `documents` are the texts of other files, whose fragments may be spread.
  package init(documents: @escaping @Sendable () -> [String] = { [] }) {
    shared = SharedFragments(documents: documents)
  }

  var earlierSchema: (schema: Schema, age: String)? {
    get { earlier.withLock { $0 } }
    set { earlier.withLock { $0 = newValue } }
  }

  package var schema: Schema? {
    get { loaded.withLock { $0 } }
    set { loaded.withLock { $0 = newValue } }
  }

  package func analyse(_ text: TextBuffer, version: Int) -> TextAnalysis {
    let own = text.text
    let document = Document(parsing: shared.completing(own))
    let places = LinePlaces(text)
    let isBlank = text.lines.allSatisfy { $0.allSatisfy(\.isWhitespace) }
    return TextAnalysis(
      version: version,
      diagnostics: isBlank
        ? []
        : diagnostics(of: document).filter { $0.range.lowerBound <= own.utf8.count }.map {
          Diagnostic(range: places.range(of: $0.range), message: $0.message)
        },
      operations: document.operations.map { operation in
        let range = places.range(of: operation.range)
        return TextAnalysis.Operation(
          name: operation.name?.value, kind: operation.operation.rawValue,
          lines: range.lowerBound.line...range.upperBound.line)
      })
  }

  /// What is wrong, each with the part of it that is underlined: of a field its name, not all that is selected in it.
  private func diagnostics(of document: Document) -> [(range: Range<Int>, message: String)] {
    document.diagnostics.map { (range: $0.range, message: $0.message) }
      + errors(in: document).compactMap { error in
        error.ranges.first.map { (range: Problems.head(of: $0, in: document.source.bytes), message: error.message) }
      }
  }

  /// What the validator has against a text, with what was likely meant.
  func errors(in document: Document) -> [ValidationError] {
    Validator.validate(document, schema: schema, rules: Problems.rules(whole: !document.hasErrors))
  }

  package func complete(_ text: TextBuffer, at position: TextPosition) -> [Completion] {
    var service = LanguageService(document: Document(parsing: text.text), schema: schema)
    service.otherFragments = shared.names
    return completions(service.complete(at: text.offset(of: position)), in: text)
  }

  /// `nil` for a text with syntax errors: what could not be read must not be written anew.
  package func format(_ text: TextBuffer) -> String? {
    let document = Document(parsing: text.text)
    guard document.diagnostics.isEmpty else { return nil }
    var formatted = Formatter.format(document)
    while formatted.last?.isNewline ?? false { formatted.removeLast() }
    return formatted
  }

  /// What is no JSON, what the operation requires and is not given, and what is not of its variable's type.
  package func analyseVariables(
    _ text: TextBuffer, version: Int, query: TextBuffer, offset: Int
  ) -> TextAnalysis {
    guard !text.lines.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) else { return TextAnalysis(version: version) }
    let places = LinePlaces(text)
    let diagnostics = variables(text, query, offset).diagnostics().map { diagnostic in
      Diagnostic(
        range: places.range(of: diagnostic.range), message: diagnostic.message,
        severity: diagnostic.isWarning ? .warning : .error)
    }
    return TextAnalysis(version: version, diagnostics: diagnostics)
  }

  func variables(_ text: TextBuffer, _ query: TextBuffer, _ offset: Int) -> VariablesService {
    let service = LanguageService(document: Document(parsing: query.text), schema: nil)
    return VariablesService(variables: text.text, operation: service.operation(at: offset), schema: schema)
  }

  package func completeVariables(
    _ text: TextBuffer, at position: TextPosition, query: TextBuffer, offset: Int
  ) -> [Completion] {
    completions(variables(text, query, offset).complete(at: text.offset(of: position)), in: text)
  }

  private func completions(_ items: [CompletionItem], in text: TextBuffer) -> [Completion] {
    let places = LinePlaces(text)
    return items.map { item in
      Completion(
        label: item.label, kind: item.kind.rawValue, type: item.type, documentation: item.documentation,
        insertText: item.insertText, stops: item.snippet.stops, isDeprecated: item.isDeprecated,
        replaces: places.range(of: item.replaces))
    }
  }
}

/// Offsets of a text as positions, found by halving.
struct LinePlaces {
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
    let line = max(0, starts.partitioningIndex { $0 > offset } - 1)
    return min(TextPosition(line, offset - starts[line]), end)
  }

  func range(of offsets: Range<Int>) -> Range<TextPosition> {
    let start = position(of: offsets.lowerBound)
    return start..<max(start, position(of: offsets.upperBound))
  }
}
