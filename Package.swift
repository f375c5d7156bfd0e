// swift-tools-version: 6.1
import PackageDescription

// The modules, layer by layer: System, GraphQL, Client, Explorer, Tools. A module imports only from its layer and from those
// before it, and names each module that it imports. Docs/Modules.md describes each module in one line.
//
// The name of every target begins with Apus (CApus in C), because SwiftPM requires target names to be unique among all
// packages that an application is built from.
//
// `APUS_TESTS=CacheTests swift test` builds these test targets (several: comma) and their dependencies only.
// `APUS_BENCHMARKS=1 swift build --product apus-benchmarks` adds the benchmarks, which the package does not have otherwise.

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
  lazyLibrary("CApusCompression", "System/CCompression"),
  lazyLibrary("CApusCurl", "System/CCurl"),
  lazyLibrary("CApusJQ", "System/CJQ"),
  .target(name: "CApusLazyLoad", path: "Sources/System/CLazyLoad"),
  lazyLibrary("CApusMicrohttpd", "System/CMicrohttpd"),
  lazyLibrary("CApusSecretService", "System/CSecretService"),
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
  module("ApusCompression", "System/Compression", ["CApusCompression"]),
  module("ApusDigest", "System/Digest", ["CApusCrypto"]),
  module("ApusFormatting", "System/Formatting"),
  module("ApusJSON", "System/JSON", ["ApusASCII", "CApusSimdjson", "ApusPlatform"]),
  module("ApusWebSocket", "System/WebSocket", ["ApusASCII", "CApusWSLay", "ApusDigest"]),
  module("ApusProcesses", "System/Processes", ["CApusSpawn", "ApusPlatform"]),
  module("ApusSecrets", "System/Secrets", ["ApusASCII", "ApusJSON", "ApusPlatform"]),
  module(
    "ApusConfiguration", "System/Configuration",
    ["ApusASCII", "ApusAlgorithms", "ApusJSON", "CApusYAML", "ApusPlatform", "ApusProcesses", "ApusSecrets"]),
  module("ApusFilters", "System/Filters", ["CApusJQ", "ApusPlatform", "ApusProcesses"]),
  module("ApusSQLite", "System/SQLite", ["CApusSQLite", "ApusPlatform"]),
]

let graphQL: [Target] = [
  module("ApusGraphQLLanguage", "GraphQL/Language", ["ApusASCII", "ApusAlgorithms"]),
  module("ApusGraphQLMediaTypes", "GraphQL/MediaTypes", ["ApusAlgorithms"]),
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
      "ApusGraphQLValidation", "ApusSecrets",
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
    ["ApusAlgorithms", "ApusClientAPI", "ApusClientOperation", "ApusGraphQLMediaTypes", "ApusJSON", "ApusPlatform"]),
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
    ["ApusASCII", "ApusAlgorithms", "CApusCurl", "ApusPlatform", "ApusSecrets", "ApusWebSocket"]),
  module(
    "ApusClientAuthentication", "Client/Authentication",
    [
      "ApusASCII", "ApusAlgorithms", "ApusClientNetwork", "ApusConfiguration", "ApusDigest", "ApusJSON", "ApusPlatform",
      "ApusSecrets",
    ]),
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
      "ApusClientSubscriptions", "ApusDigest", "ApusFormatting", "ApusGraphQLMediaTypes", "ApusJSON", "ApusPlatform",
      "ApusSecrets",
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
      "ApusClientAPI", "ApusClientCache", "ApusClientCore", "ApusClientNetwork", "ApusClientOperation",
      "ApusClientRequestChain",
      "ApusClientSelections", "ApusJSON",
    ]),
  module("ApusClientRequests", "Client/Requests", ["ApusClientAPI", "ApusGraphQLMediaTypes", "ApusSecrets"]),
  module(
    "ApusClientFormats", "Client/Formats",
    [
      "ApusASCII",
      "ApusClientAPI", "ApusClientCache", "ApusClientNetwork", "ApusClientOperation", "ApusClientRequestChain",
      "ApusClientRequests", "ApusClientSubscriptions", "ApusDigest", "ApusGraphQLLanguage", "ApusGraphQLMediaTypes",
      "ApusJSON", "ApusPlatform", "ApusSecrets",
    ]),
  module(
    "ApusClientImports", "Client/Imports",
    [
      "ApusASCII", "ApusClientFormats", "ApusClientRequests", "ApusConfiguration", "ApusFormatting",
      "ApusGraphQLMediaTypes",
      "ApusGraphQLLanguage", "ApusGraphQLProjects", "ApusJSON", "ApusSecrets",
    ]),
  module(
    "ApusClientTraffic", "Client/Traffic",
    [
      "ApusASCII", "ApusAlgorithms",
      "ApusClientAPI", "ApusClientCache", "ApusClientFormats", "ApusClientImports", "ApusClientNetwork",
      "ApusClientOperation", "ApusClientRequestChain", "ApusClientSubscriptions", "ApusCompression", "ApusDigest",
      "ApusGraphQLLanguage", "ApusGraphQLMediaTypes", "ApusGraphQLSchema", "ApusJSON", "ApusPlatform", "ApusSecrets",
      "ApusWebSocket",
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
    "ApusExplorerTerminal", "Explorer/Terminal",
    ["ApusASCII", "CApusUTF8Proc", "ApusConfiguration", "ApusPlatform", "ApusSecrets"]),
  module("ApusExplorerNCurses", "Explorer/NCurses", ["CApusNCurses", "ApusExplorerTerminal", "ApusPlatform"]),
  module("ApusExplorerText", "Explorer/Text", ["ApusASCII", "ApusSecrets"]),
  module(
    "ApusExplorerCore", "Explorer/Core",
    [
      "ApusASCII",
      "ApusAlgorithms",
      "ApusClientAPI", "ApusClientRequests", "ApusExplorerText", "ApusGraphQLLanguageService", "ApusFormatting",
      "ApusGraphQLMediaTypes",
      "ApusJSON",
      "ApusSecrets",
    ]),
  module(
    "ApusExplorerEnvironment", "Explorer/Environment",
    [
      "ApusASCII",
      "ApusAlgorithms",
      "ApusClientAPI", "ApusClientAuthentication", "ApusClientCache", "ApusClientCore", "ApusClientFormats",
      "ApusClientImports",
      "ApusClientNetwork",
      "ApusClientOperation", "ApusClientPagination", "ApusClientRequestChain", "ApusClientRequests",
      "ApusClientSubscriptions", "ApusClientTraffic", "ApusConfiguration", "ApusExplorerCore", "ApusExplorerText",
      "ApusFilters", "ApusGraphQLAnalysis",
      "ApusGraphQLLanguage",
      "ApusGraphQLLanguageService", "ApusGraphQLProjects", "ApusGraphQLSchema", "ApusGraphQLValidation",
      "ApusFormatting", "ApusGraphQLMediaTypes", "ApusJSON",
      "ApusPlatform", "ApusProcesses",
      "ApusSecrets",
    ]),
  module(
    "ApusExplorerPersistence", "Explorer/Persistence",
    [
      "ApusASCII", "ApusClientAPI", "ApusClientRequestChain", "ApusClientRequests", "ApusConfiguration",
      "ApusExplorerCore", "ApusExplorerText",
      "ApusGraphQLLanguage", "ApusGraphQLProjects", "ApusGraphQLSchema", "ApusFormatting", "ApusGraphQLMediaTypes",
      "ApusJSON", "ApusPlatform",
      "ApusSQLite",
      "ApusSecrets",
    ]),
  module(
    "ApusExplorerScreen", "Explorer/Screen",
    [
      "ApusAlgorithms",
      "ApusClientAPI", "ApusClientRequests", "ApusConfiguration", "ApusExplorerCore", "ApusExplorerTerminal",
      "ApusExplorerText", "ApusFormatting", "ApusJSON",
      "ApusPlatform", "ApusProcesses", "ApusSecrets",
    ]),
]

let tools: [Target] = [
  module(
    "ApusDemo", "Tools/Demo",
    [
      "ApusAlgorithms", "CApusMicrohttpd", "ApusConfiguration", "ApusDigest", "ApusGraphQLExecution",
      "ApusGraphQLLanguage",
      "ApusGraphQLMediaTypes", "ApusGraphQLSchema",
      "ApusGraphQLValidation",
      "ApusJSON", "ApusPlatform", "ApusSecrets", "ApusWebSocket",
    ]),
  module(
    "ApusCodeGeneration", "Tools/CodeGeneration",
    [
      "ApusASCII", "ApusAlgorithms",
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
      "ApusClientAPI", "ApusClientIncremental", "ApusClientNetwork", "ApusClientSubscriptions", "ApusDigest",
      "ApusGraphQLLanguage",
      "ApusGraphQLMediaTypes",
      "ApusGraphQLSchema",
      "ApusJSON",
    ]),
  module(
    "ApusTap", "Tools/Tap",
    ["ApusASCII", "ApusAlgorithms", "ApusClientNetwork", "ApusClientTraffic", "ApusPlatform", "ApusSecrets"]),
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
      "ApusAlgorithms",
      "ApusAudit",
      "CApusSQLite", "CApusSecretService",
      "ApusClientAPI", "ApusClientAuthentication", "ApusClientCache", "ApusClientCore", "ApusClientFormats",
      "ApusClientImports",
      "ApusClientNetwork", "ApusClientOperation",
      "ApusClientPagination", "ApusClientRequestChain", "ApusClientRequests", "ApusClientResultExecution",
      "ApusClientSubscriptions",
      "ApusClientTraffic",
      "ApusCodeGeneration", "ApusConfiguration", "ApusDemo", "ApusDigest", "ApusExplorerCore",
      "ApusExplorerPersistence",
      "ApusExplorerNCurses", "ApusFilters", "ApusFormatting",
      "ApusExplorerScreen", "ApusExplorerTerminal", "ApusExplorerEnvironment", "ApusGraphQLAnalysis",
      "ApusGraphQLLanguage", "ApusGraphQLLanguageService", "ApusGraphQLMediaTypes", "ApusGraphQLProjects",
      "ApusGraphQLSchema",
      "ApusGraphQLValidation", "ApusJSON", "ApusLanguageServer", "ApusPlatform", "ApusProcesses", "ApusSQLite",
      "ApusSecrets", "ApusTap",
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
  tests("AlgorithmsTests", ["ApusASCII", "ApusAlgorithms", "ApusDigest"]),
  tests("JSONTests", ["ApusJSON", "ApusTestSupport"]),
  tests("SecretsTests", ["ApusJSON", "ApusSecrets", "ApusTestSupport"]),
  tests("ConfigurationTests", ["ApusConfiguration", "ApusPlatform", "ApusSecrets", "ApusTestSupport"]),
  tests(
    "ProjectTests",
    ["ApusConfiguration", "ApusGraphQLLanguage", "ApusGraphQLProjects", "ApusSecrets", "ApusTestSupport"]),
  tests("FiltersTests", ["ApusFilters", "ApusPlatform", "ApusProcesses", "ApusTestSupport"]),
  tests("LanguageTests", ["ApusGraphQLLanguage", "ApusTestSupport"]),
  tests("SchemaTests", ["ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusJSON", "ApusTestSupport"]),
  tests(
    "ValidationTests",
    ["ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusGraphQLValidation", "ApusJSON", "ApusTestSupport"]),
  tests(
    "AnalysisTests",
    [
      "ApusGraphQLAnalysis", "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusJSON", "ApusSecrets", "ApusTestSupport",
    ]),
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
    name: "ApusRawDatabase", dependencies: ["CApusSQLite"], path: "Tests/Support/RawDatabase", swiftSettings: strict),
  .target(
    name: "ApusDictionaryRecords", dependencies: ["ApusClientRecords"], path: "Tests/Support/DictionaryRecords",
    swiftSettings: strict),
  tests(
    "CacheTests",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientOperation", "ApusClientRecords", "ApusDictionaryRecords",
      "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusJSON", "ApusPlatform", "ApusRawDatabase", "ApusSQLite",
      "ApusTestSupport",
    ]),
  tests(
    "TrafficTests",
    [
      "ApusClientCache", "ApusClientNetwork", "ApusClientTraffic", "ApusCompression", "ApusGraphQLSchema", "ApusJSON",
      "ApusWebSocket",
    ]),
  tests(
    "TapTests",
    ["ApusClientNetwork", "ApusClientTraffic", "ApusSecrets", "ApusTap", "ApusTestSupport", "ApusWebSocket"]),
  tests("ModelTests", ["Apus", "ApusTestSupport"]),
  .executableTarget(
    name: "ApusCacheWriter",
    dependencies: ["ApusClientCache", "ApusClientOperation", "ApusGraphQLLanguage", "ApusJSON", "ApusPlatform"],
    path: "Tests/Support/CacheWriter", swiftSettings: strict),
  tests(
    "ClientAuthenticationTests",
    [
      "ApusASCII", "ApusClientAuthentication", "ApusClientNetwork", "ApusConfiguration", "ApusSecrets",
      "ApusTestSupport",
    ]),
  tests("NetworkTests", ["ApusClientNetwork", "ApusJSON", "ApusTestSupport"]),
  .executableTarget(
    name: "ApusClientLoad", dependencies: ["Apus", "ApusGraphQLLanguage", "ApusPlatform"],
    path: "Tests/Support/ClientLoad", swiftSettings: strict),
  tests(
    "SubscriptionTests",
    [
      "ApusClientAPI", "ApusClientCore", "ApusClientNetwork", "ApusClientOperation",
      "ApusClientRequestChain",
      "ApusClientSubscriptions", "ApusDemo", "ApusDigest", "ApusGraphQLLanguage", "ApusJSON", "ApusTestSupport",
      "ApusWebSocket",
    ]),
  tests(
    "ImportTests",
    [
      "ApusClientFormats", "ApusClientImports", "ApusClientRequests", "ApusGraphQLLanguage", "ApusJSON", "ApusSecrets",
      "ApusTestSupport",
    ]),
  tests(
    "ClientTests",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientCore", "ApusClientFormats", "ApusClientNetwork",
      "ApusClientOperation",
      "ApusClientPagination", "ApusClientRequestChain", "ApusClientRequests", "ApusClientSubscriptions",
      "ApusGraphQLLanguage", "ApusGraphQLMediaTypes", "ApusGraphQLSchema", "ApusJSON",
      "ApusPlatform", "ApusTestSupport",
    ]),
  .target(
    name: "ApusBirdsModels", dependencies: ["Apus"], path: "Tests/Support/Generated/BirdsModels",
    exclude: ["apus-generate.yml", "birds.graphql"], swiftSettings: strict),
  tests("TestingTests", ["ApusBirdsModels", "ApusTesting"]),
  tests(
    "CodeGenerationTests",
    [
      "Apus", "ApusBirdsModels", "ApusCodeGeneration", "ApusDemo", "ApusGraphQLLanguage", "ApusGraphQLProjects",
      "ApusGraphQLSchema", "ApusTestSupport",
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
      "ApusClientAPI", "ApusClientAuthentication", "ApusClientCache", "ApusClientCore", "ApusClientFormats",
      "ApusClientImports", "ApusClientNetwork",
      "ApusClientRequests", "ApusClientSubscriptions", "ApusClientTraffic",
      "ApusConfiguration", "ApusDemo", "ApusExplorerCore",
      "ApusExplorerPersistence", "ApusExplorerScreen",
      "ApusExplorerTerminal", "ApusExplorerTestSupport", "ApusExplorerText", "ApusExplorerEnvironment",
      "ApusGraphQLLanguage",
      "ApusGraphQLSchema",
      "ApusJSON", "ApusRawDatabase", "ApusSQLite", "ApusSecrets",
      "ApusTestSupport",
    ], exclude: ["Golden"]),
  tests(
    "DemoTests",
    [
      "ApusDemo", "ApusDigest", "ApusGraphQLExecution", "ApusGraphQLLanguage", "ApusGraphQLSchema",
      "ApusGraphQLValidation", "ApusJSON", "ApusPlatform", "ApusTestSupport", "ApusWebSocket",
    ]),
  tests(
    "AuditTests",
    [
      "ApusAudit", "ApusClientAPI", "ApusClientNetwork", "ApusDemo", "ApusGraphQLLanguage", "ApusGraphQLSchema",
      "ApusJSON",
      "ApusTestSupport",
    ]),
  tests(
    "LanguageServerTests",
    ["ApusGraphQLSchema", "ApusJSON", "ApusLanguageServer", "ApusTestSupport"]),
  tests("CommandLineTests", in: "Scenario", ["ApusJSON", "ApusTestSupport"], exclude: ["Golden"]),
  tests(
    "HostileTests", in: "Stress",
    [
      "CApusNCurses", "ApusClientCache", "ApusClientCore", "ApusClientNetwork", "ApusClientRequests",
      "ApusClientSubscriptions", "ApusCodeGeneration",
      "ApusConfiguration", "ApusExplorerCore",
      "ApusExplorerPersistence", "ApusExplorerTestSupport", "ApusExplorerEnvironment", "ApusGraphQLLanguage",
      "ApusGraphQLSchema",
      "ApusJSON", "ApusPlatform", "ApusRawDatabase", "ApusSQLite", "ApusSecrets",
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

let benchmarks: [Target] = [
  .target(
    name: "CApusBaselines", dependencies: ["CApusSimdjson"], path: "Tests/Benchmarks/Baselines",
    linkerSettings: [.linkedLibrary("simdjson")]),
  .executableTarget(
    name: "ApusBenchmarks",
    dependencies: [
      "Apus", "ApusClientAPI", "ApusClientCache", "ApusClientCore", "ApusClientIncremental", "ApusClientNetwork",
      "ApusClientOperation", "ApusClientPagination", "ApusClientRequestChain", "ApusCodeGeneration",
      "ApusGraphQLLanguage", "ApusGraphQLLanguageService", "ApusGraphQLSchema", "ApusGraphQLValidation", "ApusJSON",
      "ApusLanguageServer", "ApusPlatform", "CApusBaselines", "CApusCurl",
    ],
    path: "Tests/Benchmarks/Program", swiftSettings: strict),
]

/// The names that a target gives its own dependencies.
func named(_ target: Target) -> [String] {
  target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
}

/// Returns a module and all Swift modules that it depends on, directly or not.
///
/// SwiftPM recompiles a module if one that its target or product names has changed, but not if an indirect dependency has.
/// An application that names `Apus` alone would keep the old layout of types that `Apus` exports, and crash. So products, and
/// the targets here that import them, name all.
@MainActor func withDependencies(_ name: String) -> [String] {
  var found: Set<String> = []
  var open = [name]
  while let next = open.popLast() {
    guard next.hasPrefix("Apus"), found.insert(next).inserted else { continue }
    open += (system + graphQL + client + tools).first { $0.name == next }.map(named) ?? []
  }
  return found.sorted()
}

let libraries = ["Apus", "ApusSelections", "ApusTesting", "ApusGraphQLTools", "ApusCodeGeneration"]

for target in client + tools + benchmarks + testTargets where target.type != .plugin {
  let names = named(target)
  let indirect = Set(names.filter(libraries.contains).flatMap(withDependencies)).subtracting(names)
  target.dependencies += indirect.sorted().map { .target(name: $0) }
}

let hasBenchmarks = Context.environment["APUS_BENCHMARKS"] == "1"
let chosenTests = Context.environment["APUS_TESTS"]?.split(separator: ",").map(String.init)

let package = Package(
  name: "Apus",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "apus", targets: ["ApusCommandLine"]),
    .executable(name: "apus-generate", targets: ["ApusGenerate"]),
    .plugin(name: "ApusGeneratePlugin", targets: ["ApusGeneratePlugin"]),
    .plugin(name: "ApusGenerateCommand", targets: ["ApusGenerateCommand"]),
  ] + libraries.map { .library(name: $0, targets: withDependencies($0)) }
    + (hasBenchmarks ? [.executable(name: "apus-benchmarks", targets: ["ApusBenchmarks"])] : []),
  targets: system + graphQL + client + explorer + tools + (hasBenchmarks ? benchmarks : [])
    + testTargets.filter { $0.type != .test || chosenTests?.contains($0.name) ?? true },
  cxxLanguageStandard: .cxx17
)
