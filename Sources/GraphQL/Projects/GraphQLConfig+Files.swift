extension GraphQLConfig {
  /// How the names of files end that hold nothing but GraphQL.
  package static let documentEndings = [".graphql", ".graphqls", ".gql"]

  /// All files under a folder whose names end in one of the given ways.
  package static func pattern(of endings: [String]) -> String {
    "**/*{\(endings.joined(separator: ","))}"
  }

  /// The files that make a project's schema.
  package func schemaFiles(of project: Project) -> FileList { file.root.files(project.schema, in: file.folder) }

  /// The project's documents whose names end in one of the given ways. A folder stands for all that are in it.
  package func documentFiles(of project: Project, endings: [String]) -> FileList {
    var list = file.root.files(project.documents.map { filesOfFolder($0, endings) }, in: file.folder)
    list.files.removeAll { file in !endings.contains { file.hasSuffix($0) } }
    return list
  }

  private func filesOfFolder(_ pattern: String, _ endings: [String]) -> String {
    guard !pattern.hasPrefix("!"), FilePattern.isFolder(pattern) else { return pattern }
    return "\(pattern)/\(Self.pattern(of: endings))"
  }
}
