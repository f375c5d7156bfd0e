// swift-tools-version: 6.1
import PackageDescription

// A client of the demo API. Its models and selections are generated during the build.
let package = Package(
  name: "Birds",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Apus", path: "../../..")],
  targets: [
    .target(
      name: "BirdsAPI", dependencies: [.product(name: "Apus", package: "Apus")], exclude: ["apus-generate.yml"],
      plugins: [.plugin(name: "ApusGeneratePlugin", package: "Apus")]),
    .target(
      name: "BirdsSelections", dependencies: [.product(name: "ApusSelections", package: "Apus")],
      exclude: ["apus-generate.yml"],
      plugins: [.plugin(name: "ApusGeneratePlugin", package: "Apus")]),
    // Re-exported products are named here too: SwiftPM recompiles a target only when its direct dependencies change.
    .executableTarget(
      name: "Birds",
      dependencies: [
        "BirdsAPI", "BirdsSelections", .product(name: "Apus", package: "Apus"),
        .product(name: "ApusSelections", package: "Apus"),
      ]),
  ]
)
