import ApusExplorerText

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
