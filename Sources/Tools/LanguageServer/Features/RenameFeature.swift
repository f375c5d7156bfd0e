import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusJSON

extension Snapshot {
  private func renamable(_ place: Place) throws(RPCError) -> Occurrence {
    do throws(RenameError) {
      return try place.service.renamable(at: place.offset)
    } catch {
      throw .failed(error.description)
    }
  }

  /// Handles `textDocument/prepareRename`.
  func preparedRename(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try place(params) else { return .null }
    let occurrence = try renamable(place)
    return [
      "range": json(occurrence.range, of: place.unit, in: place.file),
      "placeholder": JSONValue(place.unit.document.source.text(occurrence.range)),
    ]
  }

  /// Handles `textDocument/rename` in the entire project.
  func rename(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try place(params), let name = params["newName"]?.string else {
      throw .params("newName is missing")
    }
    let occurrence = try renamable(place)
    let joined = place.project.joined(place.unit, of: place.file)
    do throws(RenameError) {
      // Throws if the language service rejects the name.
      let isOfVariable = if case .variable = occurrence.symbol { true } else { false }
      let document = isOfVariable ? joined.document : place.unit.document
      _ = try LanguageService(document: document, schema: place.project.schema).rename(at: place.offset, to: name)
      let index = place.project.index
      let old = place.unit.document.source.text(occurrence.range)
      switch occurrence.symbol {
      case .fragment where name != old && !index.files(definingFragment: name).isEmpty: throw .taken(name)
      case .operation where name != old && !index.files(definingOperation: name).isEmpty: throw .taken(name)
      default: break
      }
    } catch {
      throw .failed(error.description)
    }
    var edits: [(file: TextFile, edits: [JSONValue])] = []
    for reference in try references(to: occurrence, place) {
      let edit: JSONValue = ["range": json(reference.range, in: reference.file), "newText": JSONValue(name)]
      if let last = edits.lastIndex(where: { $0.file.path == reference.file.path }) {
        edits[last].edits.append(edit)
      } else {
        edits.append((reference.file, [edit]))
      }
    }
    return workspaceEdit(edits)
  }
}
