// swift-tools-version: 6.1
import PackageDescription

// A program on the demo API, whose models and selections are generated when it is built.
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
    // What its own modules hand on is named here too: SwiftPM compiles a target again when what it names has changed.
    .executableTarget(
      name: "Birds",
      dependencies: [
        "BirdsAPI", "BirdsSelections", .product(name: "Apus", package: "Apus"),
        .product(name: "ApusSelections", package: "Apus"),
      ]),
  ]
)
