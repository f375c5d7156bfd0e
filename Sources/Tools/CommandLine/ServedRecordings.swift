import ApusClientFormats
import ApusDemo
import ApusGraphQLProjects

/// The recordings of `apus serve --recordings`: a file, or the `.ndjson` files of a folder in the order of their names.
enum ServedRecordings {
  static func answers(in path: String) throws(CommandError) -> [RecordedAnswer] {
    var answers: [RecordedAnswer] = []
    for file in try files(in: path) {
      let text = try file.text()
      do throws(Recording.FormatError) {
        answers += try Recording(parsing: text).runs.map(answer)
      } catch {
        throw .file("\(file.path) is not a recording: \(error)")
      }
    }
    return answers
  }

  private static func files(in path: String) throws(CommandError) -> [LocalFile] {
    guard FilePattern.isFolder(path), let root = ProjectRoot.folder(path) else { return [LocalFile(named: path)] }
    let files = root.files(["*.ndjson"], in: path).files
    guard !files.isEmpty else { throw .file("there is no recording (.ndjson) in \(path)") }
    return files.sorted().map { LocalFile(FilePattern.absolute($0, in: path), in: root) }
  }

  private static func answer(_ run: RecordedRequest) -> RecordedAnswer {
    RecordedAnswer(
      operationName: run.draft.operationName, document: run.draft.query.text, variables: run.variables,
      status: run.status, contentType: run.contentType,
      parts: run.parts.map { .init(elapsed: $0.elapsed, body: $0.body) }, isComplete: run.ending.error == nil)
  }
}
