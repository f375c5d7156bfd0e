import ApusConfiguration

extension ProjectRoot {
  /// Returns the nearest file with one of the names, in a folder or above it up to the region. Does not read the file. Files
  /// outside the region, also by links, are not found.
  package func nearestFile(named names: [String], from folder: FilePath) -> FilePath? {
    guard var folder = FilePath(real: "\(folder)") else { return nil }
    while region.contains(folder) {
      for name in names {
        if let file = FilePath(real: "\(folder.appending(name.utf8))"), region.contains(file) { return file }
      }
      if folder == region { return nil }
      folder = folder.folder
    }
    return nil
  }

  /// Returns the top-level keys of the nearest `package.json` and the names of its dependencies. Both are empty if there is
  /// none or it cannot be read.
  package func packageKeys(from folder: FilePath) -> (keys: Set<String>, dependencies: Set<String>) {
    guard let file = nearestFile(named: [ProjectFile.packageName], from: folder),
      let bytes = try? read("\(file)", limit: YAMLParser.maximumSize),
      let root = try? YAMLParser.parse(bytes, file: "\(file)"), let members = try? root.members("package.json")
    else { return ([], []) }
    let lists = ["dependencies", "devDependencies", "peerDependencies"].compactMap { root[$0] }
    return (
      Set(members.map(\.key)), Set(lists.flatMap { (try? $0.members("dependencies").map(\.key)) ?? [] })
    )
  }

  /// Returns the folders and files that Relay's configuration names as schema extensions, from the nearest
  /// `relay.config.json` or the `relay` member of `package.json`. Configurations in JavaScript are not read.
  package func relaySchemaExtensions(from folder: FilePath) -> [FilePath] {
    ["relay.config.json", ProjectFile.packageName].flatMap { name -> [FilePath] in
      guard let file = nearestFile(named: [name], from: folder),
        let bytes = try? read("\(file)", limit: YAMLParser.maximumSize),
        let root = try? YAMLParser.parse(bytes, file: "\(file)")
      else { return [] }
      let configuration = name == ProjectFile.packageName ? root["relay"] : root
      let projects = (try? configuration?["projects"]?.members("projects").map(\.value)) ?? []
      return ([configuration].compactMap(\.self) + projects).flatMap { project in
        (try? project["schemaExtensions"]?.elements("schemaExtensions")) ?? []
      }.compactMap { element in
        guard case .scalar(let path, _) = element.value else { return nil }
        return FilePath(real: "\(file.folder.appending(path.utf8))")
      }
    }
  }
}
