// swift-tools-version: 6.1
import PackageDescription

// The house, wing by wing: a wing imports only from the wings before it, the cellar (System) serves all.
// Docs/Modules.md says in one line what each module is for.
//
// Every target begins with Apus (CApus in C): SwiftPM wants a target's name once in the graph of all packages that an
// application is built from.

let strict: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

func module(
  _ name: String, _ path: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = []
) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/\(path)", swiftSettings: strict + settings)
}

func tests(
  _ name: String, in group: String = "Unit", _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(group)/\(name)", exclude: exclude, swiftSettings: strict)
}

func library(_ name: String, _ path: String, pkgConfig: String? = nil, apt: String, brew: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/\(path)", pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

// Not linked: loaded when one of its functions is first called.
func lazyLibrary(_ name: String, _ path: String) -> Target {
  .target(name: name, dependencies: ["CApusLazyLoad"], path: "Sources/\(path)")
}

let system: [Target] = [
  library("CApusCrypto", "System/CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
  lazyLibrary("CApusCurl", "System/CCurl"),
  lazyLibrary("CApusJQ", "System/CJQ"),
  .target(name: "CApusLazyLoad", path: "Sources/System/CLazyLoad"),
  lazyLibrary("CApusMicrohttpd", "System/CMicrohttpd"),
  .target(
    name: "CApusNCurses", path: "Sources/System/CNCurses",
    linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo", .when(platforms: [.linux]))]),
  library("CApusSQLite", "System/CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
  .target(name: "CApusSpawn", path: "Sources/System/CSpawn"),
  library("CApusUTF8Proc", "System/CUTF8Proc", apt: "libutf8proc-dev", brew: "utf8proc"),
  library("CApusYAML", "System/CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),
  .target(
    name: "CApusSimdjson", path: "Sources/System/CSimdjson",
    linkerSettings: [.linkedLibrary("simdjson")]),
  library("CApusWSLay", "System/CWSLay", apt: "libwslay-dev", brew: "wslay"),
  module("ApusAlgorithms", "System/Algorithms"),
  module("ApusASCII", "System/ASCII"),
  module("ApusPlatform", "System/Platform"),
  module("ApusDigest", "System/Digest", ["CApusCrypto"]),
  module("ApusJSON", "System/JSON", ["ApusASCII", "CApusSimdjson", "ApusPlatform"]),
  module("ApusWebSocket", "System/WebSocket", ["CApusWSLay", "ApusDigest"]),
  module("ApusProcesses", "System/Processes", ["CApusSpawn", "ApusPlatform"]),
  module("ApusSecrets", "System/Secrets", ["ApusASCII", "ApusJSON", "ApusPlatform"]),
  module(
    "ApusConfiguration", "System/Configuration",
    ["ApusASCII", "CApusYAML", "ApusPlatform", "ApusProcesses", "ApusSecrets"]),
  module("ApusFilters", "System/Filters", ["CApusJQ", "ApusPlatform", "ApusProcesses"]),
  module("ApusSQLite", "System/SQLite", ["CApusSQLite", "ApusPlatform"]),
]

let graphQL: [Target] = [
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
    "ApusGraphQLAnalysis", "GraphQL/Analysis",
    [
      "ApusAlgorithms", "ApusGraphQLLanguage", "ApusGraphQLLanguageService", "ApusGraphQLSchema",
      "ApusGraphQLValidation",
    ]),
  module(
    "ApusGraphQLProjects", "GraphQL/Projects",
    ["ApusConfiguration", "ApusDigest", "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusPlatform", "ApusSecrets"]),
  module(
    "ApusGraphQLTools", "GraphQL/Tools",
    [
      "ApusGraphQLAnalysis", "ApusGraphQLLanguage", "ApusGraphQLLanguageService", "ApusGraphQLSchema",
      "ApusGraphQLValidation", "ApusJSON",
    ]),
  module(
    "ApusGraphQLExecution", "GraphQL/Execution",
    ["ApusGraphQLLanguage", "ApusGraphQLMediaTypes", "ApusGraphQLSchema", "ApusJSON"]),
]

/// Whether the cache keeps its records in the plain storage of the tests instead of its own: `APUS_CACHE_STORAGE=dictionary`,
/// with a `--scratch-path` of its own.
let usesDictionaries = Context.environment["APUS_CACHE_STORAGE"] == "dictionary"

let client: [Target] = [
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
    ] + (usesDictionaries ? ["ApusDictionaryRecords"] : []),
    settings: usesDictionaries ? [.define("APUS_DICTIONARY_RECORDS")] : []),
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
      "ApusClientResultExecution",
      "ApusClientSubscriptions", "ApusDigest", "ApusGraphQLMediaTypes", "ApusJSON", "ApusPlatform",
    ]),
  module(
    "ApusClientCore", "Client/Core",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientNetwork", "ApusClientOperation", "ApusClientRequestChain",
      "ApusClientSubscriptions",
      "ApusGraphQLSchema", "ApusJSON",
    ]),
  module(
    "ApusClientPagination", "Client/Pagination",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientCore", "ApusClientOperation", "ApusClientRequestChain",
      "ApusGraphQLLanguage",
      "ApusGraphQLSchema", "ApusJSON",
    ]),
  module(
    "ApusClientSelections", "Client/Selections",
    ["ApusClientAPI", "ApusClientCore", "ApusClientOperation", "ApusClientRequestChain", "ApusJSON"]),
  module(
    "ApusSelections", "Client/ApusSelections",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientCore", "ApusClientNetwork", "ApusClientRequestChain",
      "ApusClientSelections", "ApusJSON",
    ]),
  module(
    "ApusClientFormats", "Client/Formats",
    [
      "ApusASCII",
      "ApusClientAPI", "ApusClientCache", "ApusClientNetwork", "ApusClientOperation", "ApusClientRequestChain",
      "ApusClientSubscriptions",
      "ApusJSON", "ApusPlatform", "ApusSecrets",
    ]),
  module(
    "ApusClientImports", "Client/Imports",
    [
      "ApusASCII", "ApusClientFormats", "ApusConfiguration", "ApusDigest", "ApusGraphQLLanguage",
      "ApusGraphQLProjects", "ApusJSON", "ApusSecrets",
    ]),
  module(
    "Apus", "Client/Apus",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientCore", "ApusClientFormats", "ApusClientNetwork",
      "ApusClientOperation",
      "ApusClientPagination", "ApusClientRequestChain", "ApusClientSubscriptions", "ApusGraphQLLanguage",
      "ApusGraphQLMediaTypes", "ApusGraphQLSchema", "ApusJSON",
    ]),
  module("ApusTesting", "Client/Testing", ["Apus"]),
]

let explorer: [Target] = [
  module(
    "ApusExplorerTerminal", "Explorer/Terminal", ["CApusUTF8Proc", "ApusConfiguration", "ApusPlatform"]),
  module("ApusExplorerNCurses", "Explorer/NCurses", ["CApusNCurses", "ApusExplorerTerminal", "ApusPlatform"]),
  module("ApusExplorerText", "Explorer/Text", ["ApusASCII", "ApusSecrets"]),
  module(
    "ApusExplorerCore", "Explorer/Core",
    [
      "ApusASCII",
      "ApusAlgorithms",
      "ApusClientAPI", "ApusExplorerText", "ApusGraphQLLanguageService", "ApusJSON", "ApusSecrets",
    ]),
  module(
    "ApusExplorerEnvironment", "Explorer/Environment",
    [
      "ApusASCII",
      "ApusAlgorithms",
      "ApusClientAPI", "ApusClientCache", "ApusClientCore", "ApusClientFormats", "ApusClientImports",
      "ApusClientNetwork",
      "ApusClientOperation", "ApusClientPagination", "ApusClientRequestChain", "ApusClientSubscriptions",
      "ApusConfiguration", "ApusDigest", "ApusExplorerCore", "ApusExplorerText", "ApusFilters", "ApusGraphQLAnalysis",
      "ApusGraphQLLanguage",
      "ApusGraphQLLanguageService", "ApusGraphQLProjects", "ApusGraphQLSchema", "ApusGraphQLValidation", "ApusJSON",
      "ApusPlatform", "ApusProcesses",
      "ApusSecrets",
    ]),
  module(
    "ApusExplorerPersistence", "Explorer/Persistence",
    [
      "ApusClientAPI", "ApusClientRequestChain", "ApusConfiguration", "ApusExplorerCore",
      "ApusExplorerText",
      "ApusGraphQLLanguage", "ApusGraphQLProjects", "ApusGraphQLSchema", "ApusJSON", "ApusPlatform", "ApusSQLite",
      "ApusSecrets",
    ]),
  module(
    "ApusExplorerScreen", "Explorer/Screen",
    [
      "ApusAlgorithms",
      "ApusClientAPI", "ApusConfiguration", "ApusExplorerCore", "ApusExplorerTerminal",
      "ApusExplorerText", "ApusJSON",
      "ApusPlatform", "ApusProcesses", "ApusSecrets",
    ]),
]

let tools: [Target] = [
  module(
    "ApusDemo", "Tools/Demo",
    [
      "ApusAlgorithms", "CApusMicrohttpd", "ApusDigest", "ApusGraphQLExecution", "ApusGraphQLLanguage",
      "ApusGraphQLMediaTypes", "ApusGraphQLSchema",
      "ApusGraphQLValidation",
      "ApusJSON", "ApusPlatform", "ApusSecrets", "ApusWebSocket",
    ]),
  module(
    "ApusCodeGeneration", "Tools/CodeGeneration",
    [
      "ApusASCII",
      "ApusClientOperation", "ApusConfiguration", "ApusGraphQLLanguage", "ApusGraphQLProjects", "ApusGraphQLSchema",
      "ApusGraphQLValidation", "ApusJSON", "ApusPlatform",
    ]),
  module(
    "ApusLanguageServer", "Tools/LanguageServer",
    [
      "ApusASCII",
      "ApusAlgorithms",
      "ApusConfiguration", "ApusDigest", "ApusGraphQLLanguage", "ApusGraphQLLanguageService", "ApusGraphQLProjects",
      "ApusGraphQLSchema", "ApusGraphQLValidation", "ApusJSON",
    ]),
  module(
    "ApusAudit", "Tools/Audit",
    [
      "ApusASCII",
      "ApusClientIncremental", "ApusClientNetwork", "ApusDigest", "ApusGraphQLLanguage", "ApusGraphQLMediaTypes",
      "ApusGraphQLSchema",
      "ApusJSON",
    ]),
  .executableTarget(
    name: "ApusGenerate", dependencies: ["ApusCodeGeneration", "ApusConfiguration", "ApusPlatform"],
    path: "Sources/Tools/Generate", swiftSettings: strict),
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
      "ApusASCII",
      "ApusAudit",
      "CApusSQLite",
      "ApusClientAPI", "ApusClientCache", "ApusClientCore", "ApusClientFormats", "ApusClientImports",
      "ApusClientNetwork", "ApusClientOperation",
      "ApusClientPagination", "ApusClientRequestChain", "ApusClientResultExecution", "ApusClientSubscriptions",
      "ApusCodeGeneration", "ApusConfiguration", "ApusDemo", "ApusDigest", "ApusExplorerCore",
      "ApusExplorerPersistence",
      "ApusExplorerNCurses", "ApusFilters",
      "ApusExplorerScreen", "ApusExplorerTerminal", "ApusExplorerEnvironment", "ApusGraphQLAnalysis",
      "ApusGraphQLLanguage", "ApusGraphQLLanguageService", "ApusGraphQLProjects", "ApusGraphQLSchema",
      "ApusGraphQLValidation", "ApusJSON", "ApusLanguageServer", "ApusPlatform", "ApusProcesses", "ApusSecrets",
    ],
    path: "Sources/Tools/CommandLine", swiftSettings: strict),
]

let testTargets: [Target] = [
  .target(
    name: "ApusTestSupport", dependencies: ["ApusPlatform"], path: "Tests/Support/Common", swiftSettings: strict),
  .target(
    name: "ApusExplorerTestSupport",
    dependencies: ["ApusExplorerCore", "ApusExplorerScreen", "ApusExplorerTerminal", "ApusPlatform"],
    path: "Tests/Support/Explorer", swiftSettings: strict),
  tests("AlgorithmsTests", ["ApusAlgorithms"]),
  tests("JSONTests", ["ApusJSON", "ApusTestSupport"]),
  tests("SecretsTests", ["ApusJSON", "ApusSecrets", "ApusTestSupport"]),
  tests("ConfigurationTests", ["ApusConfiguration", "ApusPlatform", "ApusSecrets", "ApusTestSupport"]),
  tests("ProjectTests", ["ApusConfiguration", "ApusGraphQLProjects", "ApusSecrets", "ApusTestSupport"]),
  tests("FiltersTests", ["ApusFilters", "ApusPlatform", "ApusProcesses", "ApusTestSupport"]),
  tests("LanguageTests", ["ApusGraphQLLanguage", "ApusTestSupport"]),
  tests("SchemaTests", ["ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusJSON", "ApusTestSupport"]),
  tests("ValidationTests", ["ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusGraphQLValidation", "ApusTestSupport"]),
  tests(
    "AnalysisTests",
    ["ApusGraphQLAnalysis", "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusJSON", "ApusTestSupport"]),
  tests(
    "ReferenceTests", in: "Conformance",
    [
      "ApusGraphQLAnalysis", "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusGraphQLValidation", "ApusJSON",
      "ApusTestSupport",
    ]),
  tests("LanguageToolsTests", ["ApusGraphQLTools"]),
  tests(
    "LanguageServiceTests",
    [
      "ApusGraphQLLanguage", "ApusGraphQLLanguageService", "ApusGraphQLSchema", "ApusGraphQLValidation",
      "ApusTestSupport",
    ]),
  tests(
    "ExecutionTests",
    [
      "ApusGraphQLExecution", "ApusGraphQLLanguage", "ApusGraphQLMediaTypes", "ApusGraphQLSchema", "ApusJSON",
      "ApusTestSupport",
    ]),
  tests(
    "OperationTests",
    [
      "ApusClientOperation", "ApusClientResultExecution", "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusJSON",
      "ApusTestSupport",
    ]),
  tests(
    "IncrementalTests",
    [
      "ApusClientAPI", "ApusClientIncremental", "ApusClientOperation", "ApusGraphQLExecution", "ApusGraphQLLanguage",
      "ApusGraphQLMediaTypes", "ApusGraphQLSchema",
      "ApusJSON", "ApusTestSupport",
    ]),
  .target(
    name: "ApusDictionaryRecords", dependencies: ["ApusClientRecords"], path: "Tests/Support/DictionaryRecords",
    swiftSettings: strict),
  tests(
    "CacheTests",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientOperation", "ApusClientRecords", "ApusDictionaryRecords",
      "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusJSON", "ApusPlatform", "ApusSQLite", "ApusTestSupport",
    ]),
  tests("ModelTests", ["Apus", "ApusTestSupport"]),
  .executableTarget(
    name: "ApusCacheWriter",
    dependencies: ["ApusClientCache", "ApusClientOperation", "ApusGraphQLLanguage", "ApusJSON", "ApusPlatform"],
    path: "Tests/Support/CacheWriter", swiftSettings: strict),
  tests("NetworkTests", ["ApusClientNetwork", "ApusJSON", "ApusTestSupport"]),
  .executableTarget(
    name: "ApusClientLoad", dependencies: ["Apus", "ApusGraphQLLanguage", "ApusPlatform"],
    path: "Tests/Support/ClientLoad", swiftSettings: strict),
  tests(
    "SubscriptionTests",
    [
      "ApusClientAPI", "ApusClientCore", "ApusClientIncremental", "ApusClientNetwork", "ApusClientOperation",
      "ApusClientRequestChain",
      "ApusClientSubscriptions", "ApusDemo", "ApusDigest", "ApusGraphQLLanguage", "ApusJSON", "ApusTestSupport",
      "ApusWebSocket",
    ]),
  tests(
    "ImportTests",
    ["ApusClientFormats", "ApusClientImports", "ApusJSON", "ApusSecrets", "ApusTestSupport"]),
  tests(
    "ClientTests",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientCore", "ApusClientFormats", "ApusClientNetwork",
      "ApusClientOperation",
      "ApusClientPagination", "ApusClientRequestChain", "ApusClientSubscriptions", "ApusGraphQLLanguage",
      "ApusGraphQLSchema", "ApusJSON",
      "ApusPlatform", "ApusTestSupport",
    ]),
  .target(
    name: "ApusBirdsModels", dependencies: ["Apus"], path: "Tests/Support/Generated/BirdsModels",
    exclude: ["apus-generate.yml", "birds.graphql"], swiftSettings: strict),
  tests("TestingTests", ["ApusBirdsModels", "ApusTesting"]),
  tests(
    "CodeGenerationTests",
    [
      "Apus", "ApusBirdsModels", "ApusCodeGeneration", "ApusDemo", "ApusGraphQLLanguage", "ApusGraphQLSchema",
      "ApusTestSupport",
    ],
    exclude: ["Golden"]),
  .target(
    name: "ApusBirdsSelections", dependencies: ["ApusSelections"], path: "Tests/Support/Generated/BirdsSelections",
    exclude: ["apus-generate.yml"], swiftSettings: strict),
  tests(
    "SelectionsTests",
    [
      "ApusSelections", "ApusBirdsSelections", "ApusDemo", "ApusTesting", "ApusTestSupport",
    ]),
  tests(
    "TerminalTests",
    [
      "ApusConfiguration", "ApusExplorerNCurses", "ApusExplorerTerminal", "ApusExplorerTestSupport", "ApusPlatform",
      "ApusTestSupport",
    ]),
  tests(
    "ExplorerTests",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientCore", "ApusClientFormats", "ApusConfiguration", "ApusDemo",
      "ApusExplorerCore",
      "ApusExplorerPersistence", "ApusExplorerScreen",
      "ApusExplorerTerminal", "ApusExplorerTestSupport", "ApusExplorerText", "ApusExplorerEnvironment",
      "ApusGraphQLLanguage",
      "ApusGraphQLSchema",
      "ApusJSON", "ApusSQLite", "ApusSecrets",
      "ApusTestSupport",
    ], exclude: ["Golden"]),
  tests(
    "DemoTests",
    [
      "ApusDemo", "ApusDigest", "ApusGraphQLExecution", "ApusGraphQLLanguage", "ApusGraphQLSchema",
      "ApusGraphQLValidation",
      "ApusJSON", "ApusPlatform", "ApusTestSupport",
    ]),
  tests(
    "AuditTests",
    [
      "ApusAudit", "ApusClientNetwork", "ApusDemo", "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusJSON",
      "ApusTestSupport",
    ]),
  tests(
    "LanguageServerTests",
    ["ApusGraphQLSchema", "ApusJSON", "ApusLanguageServer", "ApusTestSupport"]),
  tests("CommandLineTests", in: "Scenario", ["ApusJSON", "ApusTestSupport"]),
  tests(
    "HostileTests", in: "Stress",
    [
      "CApusNCurses", "ApusClientCache", "ApusClientCore", "ApusClientNetwork", "ApusClientSubscriptions",
      "ApusCodeGeneration",
      "ApusConfiguration", "ApusExplorerCore",
      "ApusExplorerPersistence", "ApusExplorerTestSupport", "ApusExplorerEnvironment", "ApusGraphQLLanguage",
      "ApusGraphQLSchema",
      "ApusJSON", "ApusSQLite", "ApusSecrets",
      "ApusTestSupport", "ApusWebSocket",
    ]),
  tests("ArchitectureTests", in: "Conformance", ["ApusTestSupport"]),
  .executableTarget(
    name: "ApusChaos", dependencies: ["ApusJSON", "ApusTestSupport"], path: "Tests/Stress/Chaos", exclude: ["run"],
    swiftSettings: strict),
  .executableTarget(
    name: "ApusCommandRuns", dependencies: ["ApusJSON", "ApusTestSupport"], path: "Tests/Stress/CommandRuns",
    exclude: ["run"],
    swiftSettings: strict
  ),
  .executableTarget(
    name: "ApusSoak", dependencies: ["Apus", "ApusGraphQLLanguage", "ApusPlatform", "ApusTestSupport"],
    path: "Tests/Stress/Soak", exclude: ["run"], swiftSettings: strict),
]

/// The names that a target gives its own dependencies.
func named(_ target: Target) -> [String] {
  target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
}

/// A module and all modules of Swift beneath it.
///
/// SwiftPM compiles a module again when one that its target or product names has changed, and not when one has that
/// stands behind it. An application that names `Apus` alone would go on with the old layout of the types that `Apus` hands
/// on, and crash. So products, and the targets here that import them, name all.
@MainActor func withAllBeneath(_ name: String) -> [String] {
  var found: Set<String> = []
  var open = [name]
  while let next = open.popLast() {
    guard next.hasPrefix("Apus"), found.insert(next).inserted else { continue }
    open += (system + graphQL + client + tools).first { $0.name == next }.map(named) ?? []
  }
  return found.sorted()
}

let libraries = ["Apus", "ApusSelections", "ApusTesting", "ApusGraphQLTools", "ApusCodeGeneration"]

for target in client + tools + testTargets where target.type != .plugin {
  let names = named(target)
  let behind = Set(names.filter(libraries.contains).flatMap(withAllBeneath)).subtracting(names)
  target.dependencies += behind.sorted().map { .target(name: $0) }
}

// `APUS_TESTS=CacheTests swift test` builds that test target and what it stands on, and nothing else (several: comma).
let chosenTests = Context.environment["APUS_TESTS"]?.split(separator: ",").map(String.init)

let package = Package(
  name: "Apus",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "apus", targets: ["ApusCommandLine"]),
    .executable(name: "apus-generate", targets: ["ApusGenerate"]),
    .plugin(name: "ApusGeneratePlugin", targets: ["ApusGeneratePlugin"]),
    .plugin(name: "ApusGenerateCommand", targets: ["ApusGenerateCommand"]),
  ] + libraries.map { .library(name: $0, targets: withAllBeneath($0)) },
  targets: system + graphQL + client + explorer + tools
    + testTargets.filter { $0.type != .test || chosenTests?.contains($0.name) ?? true },
  cxxLanguageStandard: .cxx17
)
