import ApusExplorerCore
import ApusExplorerText
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON

/// Answers questions from the editor with the language service.
extension EditorService {
  package func answer(_ question: LanguageServiceRequest) -> LanguageServiceAction {
    switch question {
    case .hover(let snapshot): hover(snapshot)
    case .actions(let snapshot): actions(snapshot)
    case .definition(let snapshot): definition(snapshot)
    case .field(let path, let snapshot): field(at: path, snapshot)
    case .renamable(let snapshot): renamable(snapshot)
    case .rename(let snapshot, let name): rename(snapshot, to: name)
    case .selectionRanges(let snapshot):
      .selectionRanges(
        service(snapshot).selectionRanges(at: snapshot.offset).map { snapshot.lineLocations.range(of: $0) }, snapshot)
    case .folds(let snapshot):
      .folds(
        service(snapshot).foldingRanges().map { $0.lines.lowerBound - 1...$0.lines.upperBound - 1 }, snapshot)
    case .outline(let snapshot): outline(snapshot)
    case .form(let change, let snapshot): formAnswer(change, snapshot)
    case .schemaPage(let link): schemaPage(link)
    case .schemaSearch(let text):
      .schemaFound(schema.map { SchemaPageBuilder(schema: $0).search(text) } ?? [], search: text)
    case .schemaQuery(let link):
      schema.flatMap { ShortestQuery.query(for: link, in: $0) }.map { .schemaQuery($0) }
        ?? .nothing("No query can select it: open one of its uses")
    }
  }

  private func service(_ snapshot: EditorSnapshot) -> LanguageService {
    LanguageService(document: Document(parsing: snapshot.text.text), schema: schema)
  }

  private func hover(_ snapshot: EditorSnapshot) -> LanguageServiceAction {
    let offset = snapshot.offset
    let found =
      snapshot.pane == .variables
      ? variables(snapshot.text, snapshot.query, snapshot.query.offset(of: snapshot.queryCursor)).hover(at: offset)
      : LanguageService(document: Document(parsing: shared.completing(snapshot.text.text)), schema: schema)
        .hover(at: offset)
    guard let found else { return .nothing("No hover information here: go to a field, argument or type") }
    return .hover(lines(of: found.contents), snapshot)
  }

  /// Converts Markdown to lines: code from fences, text, and notes about where something is defined.
  private func lines(of markdown: String) -> [HoverLine] {
    var lines: [HoverLine] = []
    var isCode = false
    for line in markdown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if isCode {
        lines.append(HoverLine(String(line), .code))
      } else if line.hasPrefix("Defined in") || line.hasPrefix("Defined at") {
        lines.append(HoverLine(line.filter { $0 != "`" }, .note))
      } else {
        lines.append(HoverLine(line.filter { $0 != "`" && $0 != "*" }, .text))
      }
    }
    return lines
  }

  private func actions(_ snapshot: EditorSnapshot) -> LanguageServiceAction {
    let offered: [PickerItem] =
      switch snapshot.pane {
      case .query: queryActions(snapshot)
      case .variables: variablesActions(snapshot)
      case .headers, .response, .deferred, .cache: []
      }
    let entries = snapshot.misleadingCharacterFixes + offered
    return entries.isEmpty ? .nothing("There are no code actions here") : .actions(entries, snapshot)
  }

  private func variablesActions(_ snapshot: EditorSnapshot) -> [PickerItem] {
    let document = Document(parsing: snapshot.query.text)
    let operation = LanguageService(document: document, schema: schema)
      .operation(at: snapshot.query.offset(of: snapshot.queryCursor))
    let service = VariablesService(variables: snapshot.text.text, operation: operation, schema: schema)
    let selection = snapshot.problem ?? snapshot.selection
    let range = snapshot.text.offset(of: selection.lowerBound)..<snapshot.text.offset(of: selection.upperBound)
    return service.fixes(in: range).map { item(for: $0, snapshot) }
  }

  private func item(for action: CodeAction, _ snapshot: EditorSnapshot) -> PickerItem {
    let lines = snapshot.lineLocations
    return PickerItem(
      title: action.title,
      choice: .edits(
        action.edits.map { TextReplacement(range: lines.range(of: $0.range), text: $0.text) }, snapshot.pane,
        version: snapshot.version))
  }

  private func queryActions(_ snapshot: EditorSnapshot) -> [PickerItem] {
    let lower = snapshot.text.offset(of: snapshot.selection.lowerBound)
    let upper = snapshot.text.offset(of: snapshot.selection.upperBound)
    let errors = errors(in: Document(parsing: shared.completing(snapshot.text.text)))
    let service = service(snapshot)
    // Fixes for the diagnostic shown below the editor come first, wherever the cursor is within its range.
    var offered = snapshot.problem.map { service.quickFixes(at: snapshot.text.offset(of: $0.lowerBound), errors) } ?? []
    offered += service.codeActions(in: lower..<upper, fixing: errors).filter { !offered.contains($0) }
    return offered.map { item(for: $0, snapshot) }
  }

  /// Answers with each definition and its contents, one per row.
  private func outline(_ snapshot: EditorSnapshot) -> LanguageServiceAction {
    let lineLocations = snapshot.lineLocations
    var entries: [PickerItem] = []
    func add(_ items: [OutlineItem], depth: Int) {
      for item in items {
        let start = lineLocations.range(of: item.nameRange).lowerBound
        entries.append(
          PickerItem(
            title: String(repeating: "  ", count: depth) + item.name, detail: item.detail ?? "",
            note: "\(item.kind.rawValue), line \(start.line + 1)", choice: .position(snapshot.pane, start)))
        add(item.children, depth: depth + 1)
      }
    }
    add(service(snapshot).outline(), depth: 0)
    return entries.isEmpty ? .nothing("The document is empty") : .outline(entries, snapshot)
  }

  private func definition(_ snapshot: EditorSnapshot) -> LanguageServiceAction {
    guard let found = service(snapshot).definition(at: snapshot.offset) else {
      let name = snapshot.text.text(in: snapshot.text.word(at: snapshot.cursor))
      return .nothing(
        shared.has(name) ? "\(name) is defined in another file of the folder" : "There is no definition to go to")
    }
    guard let element = found.element else {
      return .positionFound(snapshot.lineLocations.position(of: found.name.lowerBound), snapshot)
    }
    return .schemaLinkFound(SchemaPageBuilder.link(of: element))
  }

  private func field(at path: ResponsePath, _ snapshot: EditorSnapshot) -> LanguageServiceAction {
    let service = service(snapshot)
    let keys = path.components.compactMap { if case .key(let key) = $0 { key } else { nil } }
    guard let operation = service.operation(at: snapshot.offset), let found = service.field(at: keys, in: operation)
    else {
      return .nothing("\(path) is not in the query")
    }
    return .positionFound(snapshot.lineLocations.position(of: found.lowerBound), snapshot)
  }

  private func renamable(_ snapshot: EditorSnapshot) -> LanguageServiceAction {
    let service = service(snapshot)
    do throws(RenameError) {
      let occurrence = try service.renamable(at: snapshot.offset)
      return .renamable(service.document.source.text(occurrence.range), snapshot)
    } catch {
      return .nothing(error.description)
    }
  }

  private func rename(_ snapshot: EditorSnapshot, to name: String) -> LanguageServiceAction {
    do throws(RenameError) {
      let edits = try service(snapshot).rename(at: snapshot.offset, to: name)
      let lineLocations = snapshot.lineLocations
      return .edited(
        edits.map { TextReplacement(range: lineLocations.range(of: $0.range), text: $0.text) }, snapshot,
        title: edits.count == 1 ? "Renamed in 1 place" : "Renamed in \(edits.count) places")
    } catch {
      return .nothing(error.description)
    }
  }

  private func schemaPage(_ link: SchemaPageLink) -> LanguageServiceAction {
    guard let schema else { return .nothing("There is no schema") }
    if link == .changes {
      guard let (before, age) = earlierSchema else {
        return .nothing("The schema has not changed since Apus first loaded it")
      }
      return .schemaPage(SchemaChangesPage(from: before, to: schema).page("Schema changes \(age)"))
    }
    guard let page = SchemaPageBuilder(schema: schema).page(link) else {
      return .nothing("The schema has no \(link.page)")
    }
    return .schemaPage(page)
  }
}

extension LanguageService {
  /// Returns quick fixes at an offset: suggested corrections, missing elements to add, or unused ones to remove.
  fileprivate func quickFixes(at offset: Int, _ errors: [ValidationError]) -> [CodeAction] {
    let fixKinds: Set<CodeAction.Kind> = [
      .applySuggestion, .addMissingVariable, .addRequiredArguments, .fillLeafFields, .removeUnused,
    ]
    // An offset also touches the token that ends there; the next offset is inside the error.
    return [offset + 1, offset].reduce(into: []) { found, offset in
      found += codeActions(in: offset..<offset, fixing: errors).filter {
        fixKinds.contains($0.kind) && !found.contains($0)
      }
    }
  }
}

extension EditorSnapshot {
  /// Two fixes: for the misleading character at the cursor, else the first one on its line, and for all in the text.
  fileprivate var misleadingCharacterFixes: [PickerItem] {
    let found = MisleadingCharacter.all(in: text, language: language)
    let here =
      found.first { $0.range.lowerBound <= cursor && cursor <= $0.range.upperBound }
      ?? found.first { $0.range.lowerBound.line == cursor.line }
    let one = here.map { fix($0.fixTitle, [$0]) }
    return [one].compactMap { $0 } + (found.count > 1 ? [fix("Replace all \(found.count) such characters", found)] : [])
  }

  private func fix(_ title: String, _ characters: [MisleadingCharacter]) -> PickerItem {
    let edits = characters.map { TextReplacement(range: $0.range, text: $0.replacement) }
    return PickerItem(title: title, choice: .edits(edits, pane, version: version))
  }

  private var language: Editor.Language {
    switch pane.text {
    case .query: .graphQL
    case .variables: .json
    case .headers, nil: .plain
    }
  }

  fileprivate var offset: Int { text.offset(of: cursor) }
  fileprivate var lineLocations: LineLocations { LineLocations(text) }
}
