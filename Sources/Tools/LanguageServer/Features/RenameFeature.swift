import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLProjects
import ApusJSON

extension WorkspaceSnapshot {
  /// Returns all parts of the project, the part with the position first.
  private func members(_ place: GraphQLLocation) -> [CombinedDocument.Member] {
    let files = place.project.files.keys.sorted().compactMap { place.project.files[$0] }
    return CombinedDocument(CombinedDocument.Member(file: place.file, unit: place.unit), and: files).members
  }

  private func scope(_ members: [CombinedDocument.Member], _ project: Project) -> RenameScope {
    RenameScope(members.map(\.unit.document), schema: project.schema)
  }

  /// Handles `textDocument/prepareRename`.
  func preparedRename(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try sourceLocation(params) else { return .null }
    let occurrence: Occurrence
    do throws(RenameError) {
      occurrence = try scope(members(place), place.project).renamable(at: place.offset)
    } catch {
      throw .failed(error.description)
    }
    return [
      "range": json(occurrence.range, of: place.unit, in: place.file),
      "placeholder": JSONValue(place.unit.document.source.text(occurrence.range)),
    ]
  }

  /// Handles `textDocument/rename` in the entire project.
  func rename(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try sourceLocation(params), let name = params["newName"]?.string else {
      throw .params("newName is missing")
    }
    let members = members(place)
    try Self.checkCancellation()
    let edits: [[TextEdit]]
    do throws(RenameError) {
      edits = try scope(members, place.project).rename(at: place.offset, to: name)
    } catch {
      throw .failed(error.description)
    }
    var changes: [FilePath: (file: TextFile, edits: [JSONValue])] = [:]
    for (member, edits) in zip(members, edits) where !edits.isEmpty {
      changes[member.file.path, default: (member.file, [])].edits += edits.map {
        edit($0, of: member.unit, in: member.file)
      }
    }
    return workspaceEdit(changes.sorted { $0.key < $1.key }.map(\.value))
  }
}
