// swift-tools-version: 6.1
import PackageDescription

// Benchmarks are separate from the main package, so that they are not built with the product. The measured modules are the
// sources of the main package (`Modules` is a link to them), which gives the benchmarks access to their `package` symbols.

let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

func module(_ name: String, _ path: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Modules/\(path)", swiftSettings: settings)
}

func library(_ name: String, _ path: String, pkgConfig: String? = nil) -> Target {
  .systemLibrary(name: name, path: "Modules/\(path)", pkgConfig: pkgConfig)
}

let modules: [Target] = [
  library("CApusCrypto", "System/CCrypto", pkgConfig: "libcrypto"),
  .target(name: "CApusCurl", dependencies: ["CApusLazyLoad"], path: "Modules/System/CCurl"),
  .target(name: "CApusLazyLoad", path: "Modules/System/CLazyLoad"),
  library("CApusSQLite", "System/CSQLite", pkgConfig: "sqlite3"),
  .target(name: "CApusSpawn", path: "Modules/System/CSpawn"),
  library("CApusYAML", "System/CYAML", pkgConfig: "yaml-0.1"),
  .target(name: "CApusSimdjson", path: "Modules/System/CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
  library("CApusWSLay", "System/CWSLay"),
  module("ApusAlgorithms", "System/Algorithms"),
  module("ApusASCII", "System/ASCII"),
  module("ApusPlatform", "System/Platform"),
  module("ApusDigest", "System/Digest", ["CApusCrypto"]),
  module("ApusSQLite", "System/SQLite", ["CApusSQLite", "ApusPlatform"]),
  module("ApusJSON", "System/JSON", ["ApusASCII", "CApusSimdjson", "ApusPlatform"]),
  module("ApusWebSocket", "System/WebSocket", ["CApusWSLay", "ApusDigest"]),
  module("ApusProcesses", "System/Processes", ["CApusSpawn", "ApusPlatform"]),
  module("ApusSecrets", "System/Secrets", ["ApusASCII", "ApusJSON", "ApusPlatform"]),
  module(
    "ApusConfiguration", "System/Configuration",
    ["ApusASCII", "CApusYAML", "ApusPlatform", "ApusProcesses", "ApusSecrets"]),
  module("ApusGraphQLLanguage", "GraphQL/Language", ["ApusASCII", "ApusAlgorithms"]),
  module("ApusGraphQLMediaTypes", "GraphQL/MediaTypes"),
  module("ApusGraphQLSchema", "GraphQL/Schema", ["ApusAlgorithms", "ApusGraphQLLanguage", "ApusJSON"]),
  module(
    "ApusGraphQLValidation", "GraphQL/Validation",
    ["ApusASCII", "ApusAlgorithms", "ApusGraphQLLanguage", "ApusGraphQLSchema"]),
  module(
    "ApusGraphQLLanguageService", "GraphQL/LanguageService",
    ["ApusASCII", "ApusAlgorithms", "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusGraphQLValidation", "ApusJSON"]),
  module(
    "ApusGraphQLProjects", "GraphQL/Projects",
    ["ApusConfiguration", "ApusDigest", "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusPlatform", "ApusSecrets"]),
  module(
    "ApusClientOperation", "Client/Operation", ["ApusASCII", "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusJSON"]),
  module(
    "ApusClientAPI", "Client/API",
    [
      "ApusClientOperation", "ApusGraphQLLanguage", "ApusGraphQLMediaTypes", "ApusGraphQLSchema",
      "ApusGraphQLValidation", "ApusJSON",
    ]),
  module(
    "ApusClientIncremental", "Client/Incremental",
    ["ApusClientAPI", "ApusClientOperation", "ApusGraphQLMediaTypes", "ApusJSON", "ApusPlatform"]),
  module("ApusClientResultExecution", "Client/ResultExecution", ["ApusClientOperation", "ApusJSON"]),
  module("ApusClientRecords", "Client/Records", ["ApusPlatform"]),
  module(
    "ApusClientCache", "Client/Cache",
    [
      "ApusASCII", "ApusClientAPI", "ApusClientOperation", "ApusClientRecords", "ApusClientResultExecution",
      "ApusDigest", "ApusGraphQLSchema", "ApusJSON", "ApusPlatform", "ApusSQLite",
    ]),
  module(
    "ApusClientNetwork", "Client/Network",
    ["ApusASCII", "CApusCurl", "ApusDigest", "ApusPlatform", "ApusSecrets", "ApusWebSocket"]),
  module(
    "ApusClientSubscriptions", "Client/Subscriptions",
    ["ApusAlgorithms", "ApusClientAPI", "ApusClientNetwork", "ApusJSON"]),
  module(
    "ApusClientRequestChain", "Client/RequestChain",
    [
      "ApusASCII",
      "ApusAlgorithms",
      "ApusClientAPI", "ApusClientCache", "ApusClientIncremental", "ApusClientNetwork", "ApusClientOperation",
      "ApusClientResultExecution", "ApusClientSubscriptions", "ApusDigest", "ApusGraphQLMediaTypes", "ApusJSON",
      "ApusPlatform",
    ]),
  module(
    "ApusClientCore", "Client/Core",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientNetwork", "ApusClientOperation", "ApusClientRequestChain",
      "ApusClientSubscriptions", "ApusGraphQLSchema", "ApusJSON",
    ]),
  module(
    "ApusClientPagination", "Client/Pagination",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientCore", "ApusClientOperation", "ApusClientRequestChain",
      "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusJSON",
    ]),
  module(
    "ApusClientFormats", "Client/Formats",
    [
      "ApusASCII",
      "ApusClientAPI", "ApusClientCache", "ApusClientNetwork", "ApusClientOperation", "ApusClientRequestChain",
      "ApusClientSubscriptions", "ApusJSON", "ApusPlatform", "ApusSecrets",
    ]),
  module(
    "Apus", "Client/Apus",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientCore", "ApusClientFormats", "ApusClientNetwork",
      "ApusClientOperation", "ApusClientPagination", "ApusClientRequestChain", "ApusClientSubscriptions",
      "ApusGraphQLLanguage", "ApusGraphQLMediaTypes", "ApusGraphQLSchema", "ApusJSON",
    ]),
  module(
    "ApusCodeGeneration", "Tools/CodeGeneration",
    [
      "ApusASCII",
      "ApusClientOperation", "ApusConfiguration", "ApusGraphQLLanguage", "ApusGraphQLProjects", "ApusGraphQLSchema",
      "ApusGraphQLValidation",
      "ApusJSON", "ApusPlatform",
    ]),
  module(
    "ApusLanguageServer", "Tools/LanguageServer",
    [
      "ApusASCII",
      "ApusAlgorithms",
      "ApusConfiguration", "ApusDigest", "ApusGraphQLLanguage", "ApusGraphQLLanguageService", "ApusGraphQLProjects",
      "ApusGraphQLSchema", "ApusGraphQLValidation", "ApusJSON",
    ]),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "apus-benchmarks", targets: ["ApusBenchmarks"])],
  targets: modules + [
    .target(
      name: "CApusBaselines", dependencies: ["CApusSimdjson"], path: "Baselines",
      linkerSettings: [.linkedLibrary("simdjson")]),
    .executableTarget(
      name: "ApusBenchmarks",
      // Lists all modules, because SwiftPM recompiles a target only if a module that it names has changed, not an
      // indirect dependency.
      dependencies: ["CApusCurl", "CApusBaselines"]
        + modules.filter { $0.name.hasPrefix("Apus") }.map { .target(name: $0.name) },
      path: "Program", swiftSettings: settings),
  ],
  cxxLanguageStandard: .cxx17
)
