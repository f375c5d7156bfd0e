import ApusClientPagination
import ApusExplorerCore
import ApusExplorerText
import ApusGraphQLLanguage
import ApusGraphQLLanguageService

/// Offers edits that make the connections of the operation at the cursor pageable.
extension EditorService {
  package func offerPaging(_ text: TextBuffer, at offset: Int) -> [PagingOffer] {
    let document = Document(parsing: text.text)
    guard document.diagnostics.isEmpty,
      let operation = LanguageService(document: document, schema: schema).operation(at: offset)
    else { return [] }
    let before = text.lines.map { String($0) }
    return PagingEdit.edits(of: operation, schema: schema).map { edit in
      let after = edit.text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
      let changes = after.difference(from: before)
      return PagingOffer(
        title: edit.path.joined(separator: "."), text: edit.text,
        removed: changes.removals.compactMap { if case .remove(_, let line, _) = $0 { line } else { nil } },
        added: changes.insertions.compactMap { if case .insert(_, let line, _) = $0 { line } else { nil } })
    }
  }
}
