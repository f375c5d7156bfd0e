// swift-tools-version: 6.1
import PackageDescription

// The house, wing by wing: a wing imports only from the wings before it, the cellar (System) serves all.
// Docs/Modules.md says in one line what each module is for.

let strict: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

func module(_ name: String, _ path: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/\(path)", swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, swiftSettings: strict)
}

func library(_ name: String, pkgConfig: String? = nil, apt: String, brew: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

// Not linked: loaded when one of its functions is first called.
func lazyLibrary(_ name: String) -> Target {
  .target(name: name, dependencies: ["CLazyLoad"], path: "Sources/System/\(name)")
}

let system: [Target] = [
  library("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
  lazyLibrary("CCurl"),
  lazyLibrary("CJQ"),
  .target(name: "CLazyLoad", path: "Sources/System/CLazyLoad"),
  lazyLibrary("CMicrohttpd"),
  .target(
    name: "CNCurses", path: "Sources/System/CNCurses",
    linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo", .when(platforms: [.linux]))]),
  library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
  .target(name: "CSpawn", path: "Sources/System/CSpawn"),
  library("CUTF8Proc", apt: "libutf8proc-dev", brew: "utf8proc"),
  library("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),
  .target(
    name: "CSimdjson", path: "Sources/System/CSimdjson",
    linkerSettings: [.linkedLibrary("simdjson")]),
  library("CWSLay", apt: "libwslay-dev", brew: "wslay"),
  module("Digest", "System/Digest", ["CCrypto"]),
  module("JSON", "System/JSON", ["CSimdjson"]),
  module("WebSocket", "System/WebSocket", ["CWSLay", "Digest"]),
  module("Processes", "System/Processes", ["CSpawn"]),
  module("Secrets", "System/Secrets", ["JSON"]),
  module("Configuration", "System/Configuration", ["CYAML", "Digest", "Processes", "Secrets"]),
  module("Filters", "System/Filters", ["CJQ", "Processes"]),
]

let graphQL: [Target] = [
  module("GraphQLLanguage", "GraphQL/Language"),
  module("GraphQLSchema", "GraphQL/Schema", ["GraphQLLanguage", "JSON"]),
  module("GraphQLValidation", "GraphQL/Validation", ["GraphQLLanguage", "GraphQLSchema"]),
  module(
    "GraphQLLanguageService", "GraphQL/LanguageService",
    ["GraphQLLanguage", "GraphQLSchema", "GraphQLValidation", "JSON"]),
  module("GraphQLExecution", "GraphQL/Execution", ["GraphQLLanguage", "GraphQLSchema", "JSON"]),
]

let client: [Target] = [
  module("ClientOperation", "Client/Operation", ["GraphQLLanguage", "GraphQLSchema", "JSON"]),
  module("ClientAPI", "Client/API", ["ClientOperation", "JSON"]),
  module("ClientIncremental", "Client/Incremental", ["ClientAPI", "ClientOperation", "JSON"]),
  module("ClientResultExecution", "Client/ResultExecution", ["ClientOperation", "JSON"]),
  module(
    "ClientCache", "Client/Cache",
    [
      "ClientAPI", "ClientOperation", "ClientResultExecution", "CSQLite", "Digest", "GraphQLLanguage", "GraphQLSchema",
      "JSON",
    ]),
  module("ClientNetwork", "Client/Network", ["CCurl", "Digest", "WebSocket"]),
  module("ClientSubscriptions", "Client/Subscriptions", ["ClientNetwork", "JSON"]),
  module(
    "ClientRequestChain", "Client/RequestChain",
    [
      "ClientAPI", "ClientCache", "ClientIncremental", "ClientNetwork", "ClientOperation", "ClientResultExecution",
      "ClientSubscriptions", "Digest", "JSON",
    ]),
  module(
    "ClientCore", "Client/Core",
    [
      "ClientAPI", "ClientCache", "ClientNetwork", "ClientOperation", "ClientRequestChain", "ClientSubscriptions",
      "GraphQLSchema", "JSON",
    ]),
  module(
    "ClientPagination", "Client/Pagination",
    [
      "ClientAPI", "ClientCache", "ClientCore", "ClientOperation", "ClientRequestChain", "GraphQLLanguage",
      "GraphQLSchema", "JSON",
    ]),
  module(
    "ClientSelections", "Client/Selections",
    ["ClientAPI", "ClientCore", "ClientOperation", "ClientRequestChain", "JSON"]),
  module(
    "ApusSelections", "Client/ApusSelections",
    [
      "ClientAPI", "ClientCache", "ClientCore", "ClientNetwork", "ClientRequestChain", "ClientSelections", "JSON",
    ]),
  module(
    "ClientFormats", "Client/Formats",
    [
      "ClientAPI", "ClientCache", "ClientNetwork", "ClientOperation", "ClientRequestChain", "ClientSubscriptions",
      "JSON", "Secrets",
    ]),
  module(
    "Apus", "Client/Apus",
    [
      "ClientAPI", "ClientCache", "ClientCore", "ClientFormats", "ClientNetwork", "ClientOperation",
      "ClientPagination", "ClientRequestChain", "ClientSubscriptions", "JSON",
    ]),
]

let explorer: [Target] = [
  module("ExplorerTerminal", "Explorer/Terminal", ["Configuration", "CUTF8Proc"]),
  module("ExplorerNCurses", "Explorer/NCurses", ["CNCurses", "ExplorerTerminal"]),
  module("ExplorerText", "Explorer/Text", ["Secrets"]),
  module(
    "ExplorerCore", "Explorer/Core",
    [
      "ClientAPI", "ClientCache", "ClientCore", "ClientFormats", "ClientNetwork", "ClientOperation",
      "ClientPagination", "ClientRequestChain", "ClientSubscriptions", "ExplorerText", "Filters", "GraphQLLanguage",
      "GraphQLLanguageService", "GraphQLSchema", "GraphQLValidation", "JSON", "Processes", "Secrets",
    ]),
  module(
    "ExplorerKeeping", "Explorer/Keeping",
    [
      "ClientAPI", "ClientRequestChain", "Configuration", "CSQLite", "ExplorerCore", "ExplorerText",
      "GraphQLLanguage", "GraphQLSchema", "JSON", "Secrets",
    ]),
  module(
    "ExplorerScreen", "Explorer/Screen",
    [
      "ClientAPI", "ClientSubscriptions", "Configuration", "ExplorerCore", "ExplorerTerminal", "ExplorerText", "JSON",
      "Processes", "Secrets",
    ]),
]

let tools: [Target] = [
  module(
    "Demo", "Tools/Demo",
    [
      "CMicrohttpd", "GraphQLExecution", "GraphQLLanguage", "GraphQLSchema", "GraphQLValidation", "JSON", "WebSocket",
    ]),
  module(
    "CodeGeneration", "Tools/CodeGeneration",
    ["Configuration", "GraphQLLanguage", "GraphQLSchema", "GraphQLValidation", "JSON", "Secrets"]),
  .executableTarget(
    name: "ApusGenerate", dependencies: ["CodeGeneration"], path: "Sources/Tools/Generate", swiftSettings: strict),
  .plugin(
    name: "ApusGeneratePlugin", capability: .buildTool(), dependencies: ["ApusGenerate"],
    path: "Sources/Tools/Plugins/BuildTool"),
  .plugin(
    name: "ApusGenerateCommand",
    capability: .command(
      intent: .custom(verb: "apus-generate", description: "Write GraphQL models and selections into the sources"),
      permissions: [.writeToPackageDirectory(reason: "The generated source is written into the targets' folders.")]),
    dependencies: ["ApusGenerate"], path: "Sources/Tools/Plugins/Command"),
  .executableTarget(
    name: "ApusCommandLine",
    dependencies: [
      "CSQLite",
      "ClientAPI", "ClientCache", "ClientCore", "ClientFormats", "ClientNetwork", "ClientOperation",
      "ClientPagination", "ClientRequestChain", "ClientResultExecution", "ClientSubscriptions",
      "CodeGeneration", "Configuration", "Demo", "ExplorerCore", "ExplorerKeeping", "ExplorerNCurses", "Filters",
      "ExplorerScreen", "ExplorerTerminal", "GraphQLLanguage", "GraphQLLanguageService", "GraphQLSchema",
      "GraphQLValidation", "JSON", "Secrets",
    ],
    path: "Sources/Tools/CommandLine", swiftSettings: strict),
  .target(
    name: "CYardsticks", path: "Sources/Tools/Yardsticks", linkerSettings: [.linkedLibrary("simdjson")]),
  .executableTarget(
    name: "Benchmarks",
    dependencies: [
      "Apus", "CCurl", "CYardsticks", "ClientAPI", "ClientCache", "ClientCore", "ClientIncremental",
      "ClientNetwork", "ClientOperation", "ClientPagination", "ClientRequestChain", "CodeGeneration",
      "GraphQLLanguage", "GraphQLLanguageService", "GraphQLSchema", "GraphQLValidation", "JSON",
    ],
    path: "Sources/Tools/Benchmarks", swiftSettings: strict),
]

let testTargets: [Target] = [
  .target(name: "TestSupport", path: "Tests/Support", swiftSettings: strict),
  tests("JSONTests", ["JSON", "TestSupport"]),
  tests("SecretsTests", ["JSON", "Secrets", "TestSupport"]),
  tests("ConfigurationTests", ["Configuration", "Secrets"]),
  tests("FiltersTests", ["Filters", "TestSupport"]),
  tests("LanguageTests", ["GraphQLLanguage", "TestSupport"]),
  tests("SchemaTests", ["GraphQLLanguage", "GraphQLSchema", "JSON", "TestSupport"]),
  tests("ValidationTests", ["GraphQLLanguage", "GraphQLSchema", "GraphQLValidation", "TestSupport"]),
  tests(
    "ReferenceTests", ["GraphQLLanguage", "GraphQLSchema", "GraphQLValidation", "JSON", "TestSupport"]),
  tests(
    "LanguageServiceTests",
    ["GraphQLLanguage", "GraphQLLanguageService", "GraphQLSchema", "GraphQLValidation", "TestSupport"]),
  tests("ExecutionTests", ["GraphQLExecution", "GraphQLLanguage", "GraphQLSchema", "JSON", "TestSupport"]),
  tests(
    "OperationTests",
    ["ClientOperation", "ClientResultExecution", "GraphQLLanguage", "GraphQLSchema", "JSON", "TestSupport"]),
  tests(
    "IncrementalTests",
    [
      "ClientAPI", "ClientIncremental", "ClientOperation", "GraphQLExecution", "GraphQLLanguage", "GraphQLSchema",
      "JSON", "TestSupport",
    ]),
  tests(
    "CacheTests",
    [
      "ClientAPI", "ClientCache", "ClientOperation", "GraphQLLanguage", "GraphQLSchema",
      "JSON", "TestSupport",
    ]),
  tests("ModelTests", ["Apus", "TestSupport"]),
  .executableTarget(
    name: "CacheWriter", dependencies: ["ClientCache", "ClientOperation", "GraphQLLanguage", "JSON"],
    path: "Tests/CacheWriter", swiftSettings: strict),
  tests("NetworkTests", ["ClientNetwork", "JSON", "TestSupport"]),
  .executableTarget(
    name: "ClientLoad", dependencies: ["Apus", "GraphQLLanguage"], path: "Tests/ClientLoad", swiftSettings: strict),
  tests(
    "SubscriptionTests",
    [
      "ClientAPI", "ClientCore", "ClientIncremental", "ClientNetwork", "ClientOperation", "ClientRequestChain",
      "ClientSubscriptions", "Demo", "Digest", "GraphQLLanguage", "JSON", "TestSupport", "WebSocket",
    ]),
  tests(
    "ClientTests",
    [
      "ClientAPI", "ClientCache", "ClientCore", "ClientFormats", "ClientNetwork", "ClientOperation",
      "ClientPagination", "ClientRequestChain", "ClientSubscriptions", "GraphQLLanguage", "GraphQLSchema", "JSON",
      "Secrets", "TestSupport",
    ]),
  .target(
    name: "BirdsModels", dependencies: ["Apus"], path: "Tests/Generated/BirdsModels",
    exclude: ["apus-generate.yml", "birds.graphql"], swiftSettings: strict),
  tests(
    "CodeGenerationTests",
    ["Apus", "BirdsModels", "CodeGeneration", "Demo", "GraphQLLanguage", "GraphQLSchema", "TestSupport"],
    exclude: ["Golden"]),
  .target(
    name: "BirdsSelections", dependencies: ["ApusSelections"], path: "Tests/Generated/BirdsSelections",
    exclude: ["apus-generate.yml"], swiftSettings: strict),
  tests(
    "SelectionsTests",
    [
      "ApusSelections", "BirdsSelections", "Demo", "TestSupport",
    ]),
  tests("TerminalTests", ["Configuration", "ExplorerTerminal", "TestSupport"]),
  tests(
    "ExplorerTests",
    [
      "ClientAPI", "ClientCache", "ClientCore", "ClientFormats", "Configuration", "Demo", "ExplorerCore",
      "ExplorerKeeping", "ExplorerScreen",
      "ExplorerTerminal", "ExplorerText", "GraphQLLanguage", "GraphQLSchema", "JSON", "Secrets", "TestSupport",
    ], exclude: ["Golden"]),
  tests(
    "DemoTests",
    ["Demo", "GraphQLExecution", "GraphQLLanguage", "GraphQLSchema", "GraphQLValidation", "JSON", "TestSupport"]),
  tests("CommandLineTests", ["JSON", "TestSupport"]),
  tests(
    "HostileTests",
    [
      "CNCurses", "ClientCache", "ClientCore", "ClientSubscriptions", "CodeGeneration", "Configuration", "ExplorerCore",
      "ExplorerKeeping", "GraphQLLanguage", "GraphQLSchema", "JSON", "TestSupport", "WebSocket",
    ]),
  tests("HouseTests", ["TestSupport"]),
  .executableTarget(
    name: "Chaos", dependencies: ["JSON", "TestSupport"], path: "Tests/Chaos", exclude: ["run"], swiftSettings: strict),
  .executableTarget(
    name: "Hammer", dependencies: ["JSON", "TestSupport"], path: "Tests/Hammer", exclude: ["run"], swiftSettings: strict
  ),
  .executableTarget(
    name: "Soak", dependencies: ["Apus", "GraphQLLanguage", "TestSupport"], path: "Tests/Soak", exclude: ["run"],
    swiftSettings: strict),
]

// `APUS_TESTS=CacheTests swift test` builds that test target and what it stands on, and nothing else (several: comma).
let chosenTests = Context.environment["APUS_TESTS"]?.split(separator: ",").map(String.init)

let package = Package(
  name: "Apus",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "apus", targets: ["ApusCommandLine"]),
    .executable(name: "apus-benchmarks", targets: ["Benchmarks"]),
    .library(name: "Apus", targets: ["Apus"]),
    .library(name: "ApusSelections", targets: ["ApusSelections"]),
    .library(name: "CodeGeneration", targets: ["CodeGeneration"]),
    .executable(name: "apus-generate", targets: ["ApusGenerate"]),
    .plugin(name: "ApusGeneratePlugin", targets: ["ApusGeneratePlugin"]),
    .plugin(name: "ApusGenerateCommand", targets: ["ApusGenerateCommand"]),
  ],
  targets: system + graphQL + client + explorer + tools
    + testTargets.filter { $0.type != .test || chosenTests?.contains($0.name) ?? true },
  cxxLanguageStandard: .cxx17
)
