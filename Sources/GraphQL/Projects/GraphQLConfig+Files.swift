extension GraphQLConfig {
  /// How the names of files end that hold nothing but GraphQL.
  package static let documentEndings = [".graphql", ".graphqls", ".gql"]

  /// All files under a folder whose names end in one of the given ways.
  package static func pattern(of endings: [String]) -> String {
    "**/*{\(endings.joined(separator: ","))}"
  }

  /// The files that make a project's schema, sorted.
  package func schemaFiles(of project: Project) -> [String] { files(project.schema) }

  /// The project's documents whose names end in one of the given ways, sorted. A folder stands for all that are in it.
  package func documentFiles(of project: Project, endings: [String]) -> [String] {
    files(project.documents.map { filesOfFolder($0, endings) }).filter { file in
      endings.contains { file.hasSuffix($0) }
    }
  }

  /// The files of some patterns. What lies outside the project is neither read nor looked through: its file decides about
  /// no other place.
  private func files(_ patterns: [String]) -> [String] {
    let root = ProjectFile.root(of: file.folder)
    func isInside(_ path: String) -> Bool {
      ProjectFile.realPath(path).map { root == "/" || $0 == root || $0.hasPrefix(root + "/") } ?? false
    }
    let allowed = patterns.filter { pattern in
      if pattern.hasPrefix("!") { return true }
      let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
      let fixed = parts.prefix { part in !part.contains { "*?{".contains($0) } }
      return isInside(fixed.joined(separator: "/")) && !parts.dropFirst(fixed.count).contains { $0.contains("..") }
    }
    return FilePattern.files(allowed, in: file.folder).filter(isInside)
  }

  private func filesOfFolder(_ pattern: String, _ endings: [String]) -> String {
    guard !pattern.hasPrefix("!"), FilePattern.isFolder(pattern) else { return pattern }
    return "\(pattern)/\(Self.pattern(of: endings))"
  }
}
