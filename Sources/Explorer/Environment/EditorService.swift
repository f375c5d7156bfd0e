import ApusAlgorithms
import ApusExplorerCore
import ApusExplorerText
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusGraphQLValidation
import Synchronization

/// Analyzes documents off the main loop: diagnostics, completion and formatting.
package final class EditorService: Sendable {
  private let loaded = Mutex<Schema?>(nil)
  /// The previous schema, if it differs.
  private let earlier = Mutex<(schema: Schema, age: String)?>(nil)
  let shared: FragmentLibrary

  /// Creates a service. `documents` returns the contents of other files, whose fragments can be spread.
  package init(documents: @escaping @Sendable () -> [String] = { [] }) {
    shared = FragmentLibrary(documents: documents)
  }

  var earlierSchema: (schema: Schema, age: String)? {
    get { earlier.withLock { $0 } }
    set { earlier.withLock { $0 = newValue } }
  }

  package var schema: Schema? {
    get { loaded.withLock { $0 } }
    set { loaded.withLock { $0 = newValue } }
  }

  var environment: EditorEnvironment {
    var environment = EditorEnvironment()
    environment.analyse = { self.analyse($0, version: $1) }
    environment.analyzeVariables = { self.analyzeVariables($0, version: $1, query: $2, offset: $3) }
    environment.complete = { self.complete($0, at: $1) }
    environment.completeVariables = { self.completeVariables($0, at: $1, query: $2, offset: $3) }
    environment.format = { self.format($0) }
    environment.answer = { self.answer($0) }
    environment.fillForm = { self.rows(of: $0) }
    environment.offerPaging = { self.offerPaging($0, at: $1) }
    return environment
  }

  package func analyse(_ text: TextBuffer, version: Int) -> EditorAnalysis {
    let editorText = text.text
    let document = Document(parsing: shared.completing(editorText))
    let lines = LineLocations(text)
    let isBlank = text.lines.allSatisfy { $0.allSatisfy(\.isWhitespace) }
    let diagnostics =
      isBlank
      ? []
      : diagnostics(of: document).filter { $0.range.lowerBound <= editorText.utf8.count }.map {
        EditorDiagnostic(range: lines.range(of: $0.range), message: $0.message)
      }
    return EditorAnalysis(
      version: version, diagnostics: diagnostics.naming(MisleadingCharacter.all(in: text, language: .graphQL)),
      operations: document.operations.map { operation in
        let range = lines.range(of: operation.range)
        return EditorAnalysis.Operation(
          name: operation.name?.value, kind: operation.operation.rawValue,
          lines: range.lowerBound.line...range.upperBound.line,
          firstField: operation.name == nil ? Self.firstField(of: operation) : nil)
      })
  }

  private static func firstField(of operation: OperationDefinitionNode) -> String? {
    operation.selectionSet.selections.lazy.compactMap { selection -> String? in
      if case .field(let field) = selection, !field.name.isMissing { field.name.value } else { nil }
    }.first
  }

  /// Returns the errors, each with the range to underline: a field's name rather than its whole selection.
  private func diagnostics(of document: Document) -> [(range: Range<Int>, message: String)] {
    document.diagnostics.map { (range: $0.range, message: $0.message) }
      + errors(in: document).compactMap { error in
        error.ranges.first.map {
          (range: EditingDiagnostics.head(of: $0, in: document.source.bytes), message: error.message)
        }
      }
  }

  /// Returns the validation errors of a document, with their suggestions.
  func errors(in document: Document) -> [ValidationError] {
    Validator.validate(document, schema: schema, rules: EditingDiagnostics.rules(complete: !document.hasErrors))
  }

  package func complete(_ text: TextBuffer, at position: TextPosition) -> [Completion] {
    var service = LanguageService(document: Document(parsing: text.text), schema: schema)
    service.otherFragments = shared.names
    return completions(service.complete(at: text.offset(of: position)), in: text)
  }

  /// Returns the formatted document; `nil` if it has syntax errors, because reformatting would lose the unparsed parts.
  package func format(_ text: TextBuffer) -> String? {
    let document = Document(parsing: text.text)
    guard document.diagnostics.isEmpty else { return nil }
    var formatted = Formatter.format(document)
    while formatted.last?.isNewline ?? false { formatted.removeLast() }
    return formatted
  }

  /// Returns diagnostics for the variables: invalid JSON, missing required variables, and values of the wrong type.
  package func analyzeVariables(
    _ text: TextBuffer, version: Int, query: TextBuffer, offset: Int
  ) -> EditorAnalysis {
    guard !text.lines.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) else { return EditorAnalysis(version: version) }
    let lines = LineLocations(text)
    let diagnostics = variables(text, query, offset).diagnostics().map { diagnostic in
      EditorDiagnostic(
        range: lines.range(of: diagnostic.range), message: diagnostic.message,
        severity: diagnostic.isWarning ? .warning : .error)
    }
    return EditorAnalysis(
      version: version, diagnostics: diagnostics.naming(MisleadingCharacter.all(in: text, language: .json)))
  }

  func variables(_ text: TextBuffer, _ query: TextBuffer, _ offset: Int) -> VariablesService {
    let service = LanguageService(document: Document(parsing: query.text), schema: nil)
    return VariablesService(variables: text.text, operation: service.operation(at: offset), schema: schema)
  }

  package func completeVariables(
    _ text: TextBuffer, at position: TextPosition, query: TextBuffer, offset: Int
  ) -> [Completion] {
    let service = variables(text, query, offset)
    let cursor = text.offset(of: position)
    if let path = service.uploadPath(before: cursor) { return PathCompletion.completions(of: path, before: position) }
    return completions(service.complete(at: cursor), in: text)
  }

  private func completions(_ items: [CompletionItem], in text: TextBuffer) -> [Completion] {
    let lines = LineLocations(text)
    return items.map { item in
      Completion(
        label: item.label, kind: item.kind.rawValue, type: item.type, documentation: item.documentation,
        insertText: item.insertText, stops: item.snippet.stops, isDeprecated: item.isDeprecated,
        replaces: lines.range(of: item.replacementRange))
    }
  }
}

extension [EditorDiagnostic] {
  /// The diagnostics after those of misleading characters, which replace others at the same position.
  fileprivate func naming(_ characters: [MisleadingCharacter]) -> [EditorDiagnostic] {
    characters.map { EditorDiagnostic($0) }
      + filter { other in !characters.contains { $0.range.lowerBound == other.range.lowerBound } }
  }
}

/// Converts offsets to positions by binary search.
struct LineLocations {
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
