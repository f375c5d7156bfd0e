import ApusConfiguration
import ApusPlatform
import Testing

/// The folders that follow from the environment, and the environment itself.
@Suite struct UserFoldersTests {
  @Test(
    arguments: [
      ([:], "/home/ada/.config/apus", "/home/ada/.local/state/apus"),
      (["XDG_CONFIG_HOME": "/x"], "/x/apus", "/home/ada/.local/state/apus"),
      (["XDG_CONFIG_HOME": "x", "APUS_CONFIG_HOME": "y"], "/home/ada/.config/apus", "/home/ada/.local/state/apus"),
      (["XDG_STATE_HOME": "/x", "APUS_CONFIG_HOME": "/y"], "/y", "/x/apus"),
      (["XDG_CONFIG_HOME": "/x", "APUS_CONFIG_HOME": "/y", "APUS_STATE_HOME": "/z"], "/y", "/z"),
      (["HOME": "/home/ada/"], "/home/ada/.config/apus", "/home/ada/.local/state/apus"),
      (["HOME": "/"], "//.config/apus", "//.local/state/apus"),
    ] as [([String: String], String, String)])
  func `a folder is named by its own variable, by that of the specification, or in the home folder`(
    variables: [String: String], config: String, state: String
  ) {
    let folders = UserFolders(environment: ["HOME": "/home/ada"].merging(variables) { $1 })
    #expect(folders.config == config)
    #expect(folders.state == state)
    #expect(folders.data == UserFolders(environment: ["HOME": variables["HOME"] ?? "/home/ada"]).data)
  }

  @Test(arguments: [nil, "", "ada", "~"])
  func `without an absolute home folder in the environment it is that of the user's record`(home: String?) throws {
    let record = try #require(getpwuid(getuid())?.pointee.pw_dir)
    let folders = UserFolders(environment: home.map { ["HOME": $0] } ?? [:])
    #expect(folders.config == String(cString: record) + "/.config/apus")
  }

  @Test func `the environment has every variable`() {
    var names: Set<String> = []
    for index in 0... {
      guard let entry = environ[index] else { break }
      names.insert(String(String(cString: entry).prefix { $0 != "=" }))
    }
    let variables = ProcessEnvironment.read()
    #expect(Set(variables.keys) == names)
    #expect(variables.allSatisfy { name, value in getenv(name).map { String(cString: $0) } == value })
  }

  /// The name that is in the way; `nil` if the folder is there afterward.
  @Test(arguments: [
    ("new", nil), ("new/a/b", nil), ("folder", nil), ("folder/a", nil), ("link/a", nil), ("folder//a/", nil),
    ("file", "file"), ("file/a", "file"), ("folder/file/a/b", "folder/file"), ("lost", "lost"), ("lost/a", "lost"),
  ])
  func `a folder is made with its parents, unless something else has the name of one`(path: String, obstacle: String?)
    throws
  {
    let home = try TemporaryFolder(["file": ""])
    try #require(mkdir("\(home.path)/folder", 0o700) == 0)
    try home.write("folder/file", "")
    try #require(symlink("\(home.path)/folder", "\(home.path)/link") == 0)
    try #require(symlink("\(home.path)/none", "\(home.path)/lost") == 0)
    let folder = "\(home.path)/\(path)"
    do throws(ConfigurationError) {
      try UserFile.makeFolder(folder)
      #expect(obstacle == nil)
      var status = stat()
      #expect(stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
    } catch {
      let name = obstacle.map { "\(home.path)/\($0)" } ?? "none"
      #expect("\(error)" == "\(folder): cannot create the directory: \(name) is not a directory")
    }
  }
}
