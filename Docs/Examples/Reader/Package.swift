// swift-tools-version: 6.1
import PackageDescription

// A terminal reader of the demo API; start with this example.
let package = Package(
  name: "Reader",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Apus", path: "../../..")],
  targets: [
    .target(
      name: "ReaderAPI", dependencies: [.product(name: "Apus", package: "Apus")], exclude: ["apus-generate.yml"],
      plugins: [.plugin(name: "ApusGeneratePlugin", package: "Apus")]),
    // Re-exported products are named here too: SwiftPM recompiles a target only when its direct dependencies change.
    .executableTarget(name: "Reader", dependencies: ["ReaderAPI", .product(name: "Apus", package: "Apus")]),
  ]
)
