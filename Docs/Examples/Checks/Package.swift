// swift-tools-version: 6.2
import PackageDescription

// A program that uses every public type of Apus from outside, against correct and faulty servers, and checks the
// results.
let strict: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
// Generated code, and code that uses it, also compile where imports are internal.
let internalImports = strict + [.enableUpcomingFeature("InternalImportsByDefault")]

let package = Package(
  name: "Checks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Apus", path: "../../..")],
  targets: [
    .target(
      name: "PeopleAPI", dependencies: [.product(name: "Apus", package: "Apus")], exclude: ["apus-generate.yml"],
      swiftSettings: internalImports, plugins: [.plugin(name: "ApusGeneratePlugin", package: "Apus")]),
    .target(
      name: "PeopleSelections", dependencies: [.product(name: "ApusSelections", package: "Apus")],
      exclude: ["apus-generate.yml"], swiftSettings: internalImports,
      plugins: [.plugin(name: "ApusGeneratePlugin", package: "Apus")]),
    // The scripted server of Apus' tests. Its sources include the module that it needs, since `package` declarations
    // are hidden from other packages.
    .target(name: "ScriptedServers", swiftSettings: strict),
    .executableTarget(
      name: "Checks",
      dependencies: [
        "PeopleAPI", "PeopleSelections", "ScriptedServers", .product(name: "Apus", package: "Apus"),
        .product(name: "ApusSelections", package: "Apus"), .product(name: "ApusCodeGeneration", package: "Apus"),
        .product(name: "ApusGraphQLTools", package: "Apus"), .product(name: "ApusTesting", package: "Apus"),
      ],
      swiftSettings: internalImports),
  ],
  swiftLanguageModes: [.v6]
)
