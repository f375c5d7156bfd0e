import ApusTestSupport
import Foundation
import Testing

/// Runs the Swift compiler on small programs that import the modules of this build.
enum SwiftCompiler {
  /// Returns the compiler's errors and warnings for a program, without locations.
  static func errors(in program: String) async throws -> [String] {
    try await errors(in: [(name: "Program.swift", text: program)])
  }

  /// Returns the compiler's errors and warnings for a module of several files.
  ///
  /// - Parameters:
  ///   - isMainActors: Whether declarations are isolated to the main actor by default (SE-0466), as in new Xcode
  ///     applications.
  ///   - areImportsInternal: Whether imports are internal by default (SE-0409).
  static func errors(
    in files: [(name: String, text: String)], isMainActors: Bool = false, areImportsInternal: Bool = false
  ) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var paths: [String] = []
    for file in files {
      let path = "\(folder)/\(file.name.replacing("/", with: "-"))"
      try file.text.write(toFile: path, atomically: true, encoding: .utf8)
      paths.append(path)
    }
    let outcome = try await ChildProcess.run(
      "/usr/bin/env",
      try arguments() + (isMainActors ? ["-default-isolation", "MainActor"] : [])
        + (areImportsInternal ? ["-enable-upcoming-feature", "InternalImportsByDefault"] : []) + paths)
    let lines = (outcome.output + outcome.errors).split(separator: "\n").filter { $0.hasPrefix(folder) }
    let found = lines.compactMap { line in line.firstRange(of: "error: ").map { String(line[$0.upperBound...]) } }
    #expect((outcome.exitCode == 0) == found.isEmpty, "\(outcome.errors)")
    return found
  }

  private static func arguments() throws -> [String] {
    var arguments = [
      "swiftc", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-module-name", "Program",
      "-package-name", "program", "-typecheck", "-I", Checkout.products + "/Modules",
    ]
    let system = Checkout.root + "/Sources/System"
    for name in try FileManager.default.contentsOfDirectory(atPath: system).sorted() {
      // The folder CCurl is that of the target CApusCurl.
      let build = "\(Checkout.products)/CApus\(name.dropFirst()).build"
      for map in ["\(system)/\(name)/module.modulemap", "\(build)/module.modulemap"]
      where FileManager.default.fileExists(atPath: map) {
        arguments += ["-Xcc", "-fmodule-map-file=\(map)"]
        break
      }
      arguments += ["-Xcc", "-I\(system)/\(name)/include"]
    }
    return arguments
  }
}
