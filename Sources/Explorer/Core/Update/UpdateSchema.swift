import ExplorerText

/// The schema explorer: pages, links, back and forward, search.
extension ExplorerState {
  mutating func openSchema(at place: SchemaPlace) -> [Effect] {
    popups.removeAll()
    popups.append(.schema(SchemaExplorerState()))
    return [.ask(.schemaPage(place))]
  }

  mutating func showSchema(_ page: SchemaPage) {
    changeSchemaExplorer { $0.show(page) }
  }

  mutating func showSchemaResults(_ rows: [SchemaRow], for search: String) {
    changeSchemaExplorer { schema in
      guard schema.search == search, schema.isSearching else { return }
      schema.found(rows)
    }
  }

  private mutating func changeSchemaExplorer(_ change: (inout SchemaExplorerState) -> Void) {
    guard let place = popups.lastIndex(where: { if case .schema = $0 { true } else { false } }),
      case .schema(var schema) = popups[place]
    else { return }
    change(&schema)
    popups[place] = .schema(schema)
  }

  /// Typing searches.
  mutating func searchSchema(_ given: SchemaExplorerState) -> [Effect] {
    var schema = given
    schema.searchAnew()
    popups[popups.count - 1] = .schema(schema)
    return schema.isSearching ? [.ask(.schemaSearch(schema.search))] : []
  }

  mutating func invokeInSchema(_ command: Command, _ given: SchemaExplorerState) -> [Effect]? {
    var schema = given
    if let step = popupStep(of: command) {
      schema.move(by: step)
      popups[popups.count - 1] = .schema(schema)
      return []
    }
    switch command {
    case .popupAccept:
      guard let link = schema.selected?.link else {
        notice = Notice("This leads nowhere further")
        return []
      }
      if let current = schema.current { schema.back.append(current) }
      schema.forward = []
      popups[popups.count - 1] = .schema(schema)
      return [.ask(.schemaPage(link))]
    case .schemaBack: return goBackInSchema(schema)
    case .schemaForward:
      guard let next = schema.forward.popLast() else { return [] }
      if let current = schema.current { schema.back.append(current) }
      return visit(next, schema)
    case .schemaToQuery:
      guard let subject = schema.selected?.subject else {
        notice = Notice("No query can select this: follow who uses it", .warning)
        return []
      }
      return [.ask(.schemaQuery(subject))]
    case .popupClose, .openSchema:
      if schema.isSearching {
        schema.input = LineEditor()
        return searchSchema(schema)
      }
      popups.removeLast()
      return []
    default: return nil
    }
  }

  mutating func goBackInSchema(_ given: SchemaExplorerState) -> [Effect] {
    var schema = given
    guard let last = schema.back.popLast() else { return [] }
    if let current = schema.current { schema.forward.append(current) }
    return visit(last, schema)
  }

  private mutating func visit(_ visit: SchemaVisit, _ given: SchemaExplorerState) -> [Effect] {
    var schema = given
    let question: WritingQuestion
    switch visit {
    case .page(let place): question = .schemaPage(place)
    case .search(let text, let selected):
      schema.input = LineEditor(text)
      schema.searchAnew(selected: selected)
      question = .schemaSearch(text)
    }
    popups[popups.count - 1] = .schema(schema)
    return [.ask(question)]
  }

  /// Puts a query that was made from the schema behind the ones that are there.
  mutating func insertQuery(_ text: String) -> [Effect] {
    guard case .schema? = popups.last else { return [] }
    let effects = focus(on: .query)
    return effects
      + editText { editor in
        let isEmpty = editor.buffer.lines.allSatisfy { $0.allSatisfy(\.isWhitespace) }
        if isEmpty {
          editor.setText(text)
        } else {
          let end = editor.buffer.end
          editor.replace(end..<end, with: (end.column == 0 ? "\n" : "\n\n") + text)
        }
        editor.place(TextPosition(isEmpty ? 0 : editor.buffer.lineCount - text.split(separator: "\n").count, 0))
      }
  }
}
