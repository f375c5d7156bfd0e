// swift-tools-version: 6.1
import PackageDescription

// A separate package, because the compiler flags of fuzzers do not belong in the main package. The modules under test
// are built from the main package's sources (`Modules` is a link to them), so that `package` declarations are
// accessible here.

let address = "-sanitize=address"

/// Counts each edge for libFuzzer. A fuzzer has as many counters as its modules have edges.
let coverage = [
  "-sanitize-coverage=edge,trace-cmp", "-Xllvm", "-sanitizer-coverage-inline-8bit-counters", "-Xllvm",
  "-sanitizer-coverage-pc-table",
]

/// A tested module, built for coverage and checked by the address sanitizer.
func module(_ name: String, _ path: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Modules/\(path)",
    swiftSettings: [.unsafeFlags([address, "-enable-testing"] + coverage)])
}

/// A dependency of tested modules that no fuzzer tests.
func plain(_ name: String, _ path: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Modules/\(path)", swiftSettings: [.unsafeFlags(["-enable-testing"])])
}

/// A dependency of tested modules, checked by the address sanitizer.
func support(_ name: String, _ path: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Modules/\(path)",
    swiftSettings: [.unsafeFlags([address, "-enable-testing"])])
}

func library(_ name: String, _ path: String, pkgConfig: String? = nil) -> Target {
  .systemLibrary(name: name, path: "Modules/\(path)", pkgConfig: pkgConfig)
}

func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: "Fuzz\(name)", dependencies: dependencies + ["FuzzHarness"], path: "Targets/\(name)",
    swiftSettings: [.unsafeFlags([address, "-parse-as-library"])],
    linkerSettings: [
      .unsafeFlags(["-sanitize=fuzzer,address"]), .unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux])),
    ])
}

let modules: [Target] = [
  .target(
    name: "CApusSimdjson", path: "Modules/System/CSimdjson",
    cxxSettings: [
      // A small piece size, so that short inputs are also processed in pieces.
      .define("APUS_JSON_PIECE_SIZE", to: "16"),
      .unsafeFlags(["-fsanitize=address", "-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp"]),
    ], linkerSettings: [.linkedLibrary("simdjson")]),
  support("ApusAlgorithms", "System/Algorithms"),
  module("ApusASCII", "System/ASCII"),
  support("ApusPlatform", "System/Platform"),
  support("ApusFormatting", "System/Formatting"),
  module("ApusJSON", "System/JSON", ["ApusASCII", "CApusSimdjson", "ApusPlatform"]),
  module("ApusGraphQLLanguage", "GraphQL/Language", ["ApusASCII", "ApusAlgorithms"]),
  module("ApusGraphQLMediaTypes", "GraphQL/MediaTypes", ["ApusAlgorithms"]),
  module("ApusGraphQLSchema", "GraphQL/Schema", ["ApusAlgorithms", "ApusGraphQLLanguage", "ApusJSON"]),
  support(
    "ApusClientOperation", "Client/Operation", ["ApusASCII", "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusJSON"]),
  support(
    "ApusClientAPI", "Client/API",
    [
      "ApusClientOperation", "ApusGraphQLLanguage", "ApusGraphQLMediaTypes", "ApusGraphQLSchema",
      "ApusGraphQLValidation", "ApusJSON",
    ]),
  module(
    "ApusClientIncremental", "Client/Incremental",
    ["ApusAlgorithms", "ApusClientAPI", "ApusClientOperation", "ApusGraphQLMediaTypes", "ApusJSON", "ApusPlatform"]),
  module("ApusClientResultExecution", "Client/ResultExecution", ["ApusClientOperation", "ApusJSON"]),
  library("CApusSQLite", "System/CSQLite", pkgConfig: "sqlite3"),
  module("ApusSQLite", "System/SQLite", ["CApusSQLite", "ApusPlatform"]),
  module("ApusClientRecords", "Client/Records", ["ApusPlatform"]),
  module(
    "ApusClientCache", "Client/Cache",
    [
      "ApusASCII", "ApusClientAPI", "ApusClientOperation", "ApusClientRecords", "ApusClientResultExecution",
      "ApusDigest", "ApusGraphQLSchema", "ApusJSON", "ApusPlatform", "ApusSQLite",
    ]),
  library("CApusCrypto", "System/CCrypto", pkgConfig: "libcrypto"),
  library("CApusWSLay", "System/CWSLay"),
  support("ApusDigest", "System/Digest", ["CApusCrypto"]),
  module("ApusWebSocket", "System/WebSocket", ["ApusASCII", "CApusWSLay", "ApusDigest"]),
  .target(name: "CApusLazyLoad", path: "Modules/System/CLazyLoad"),
  .target(name: "CApusCurl", dependencies: ["CApusLazyLoad"], path: "Modules/System/CCurl"),
  .target(name: "CApusJQ", dependencies: ["CApusLazyLoad"], path: "Modules/System/CJQ"),
  module(
    "ApusClientNetwork", "Client/Network",
    ["ApusASCII", "ApusAlgorithms", "CApusCurl", "ApusPlatform", "ApusSecrets", "ApusWebSocket"]),
  module(
    "ApusClientSubscriptions", "Client/Subscriptions",
    ["ApusAlgorithms", "ApusClientAPI", "ApusClientNetwork", "ApusJSON"]),
  plain(
    "ApusClientRequestChain", "Client/RequestChain",
    [
      "ApusASCII",
      "ApusAlgorithms",
      "ApusClientAPI", "ApusClientCache", "ApusClientIncremental", "ApusClientNetwork", "ApusClientOperation",
      "ApusClientResultExecution",
      "ApusClientSubscriptions", "ApusDigest", "ApusFormatting", "ApusGraphQLMediaTypes", "ApusJSON", "ApusPlatform",
      "ApusSecrets",
    ]),
  plain(
    "ApusClientCore", "Client/Core",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientNetwork", "ApusClientOperation", "ApusClientRequestChain",
      "ApusClientSubscriptions",
      "ApusGraphQLSchema", "ApusJSON",
    ]),
  plain(
    "ApusClientPagination", "Client/Pagination",
    [
      "ApusClientAPI", "ApusClientCache", "ApusClientCore", "ApusClientOperation", "ApusClientRequestChain",
      "ApusGraphQLLanguage",
      "ApusGraphQLSchema", "ApusJSON",
    ]),
  module("ApusClientRequests", "Client/Requests", ["ApusClientAPI", "ApusGraphQLMediaTypes", "ApusSecrets"]),
  module(
    "ApusClientFormats", "Client/Formats",
    [
      "ApusGraphQLMediaTypes",
      "ApusASCII",
      "ApusClientAPI", "ApusClientCache", "ApusClientNetwork", "ApusClientOperation", "ApusClientRequestChain",
      "ApusClientRequests", "ApusClientSubscriptions", "ApusDigest", "ApusGraphQLLanguage",
      "ApusJSON", "ApusPlatform", "ApusSecrets",
    ]),
  .target(name: "CApusSpawn", path: "Modules/System/CSpawn"),
  support("ApusProcesses", "System/Processes", ["CApusSpawn", "ApusPlatform"]),
  module("ApusFilters", "System/Filters", ["CApusJQ", "ApusPlatform", "ApusProcesses"]),
  library("CApusYAML", "System/CYAML", pkgConfig: "yaml-0.1"),
  module("ApusSecrets", "System/Secrets", ["ApusASCII", "ApusJSON", "ApusPlatform"]),
  module(
    "ApusConfiguration", "System/Configuration",
    ["ApusASCII", "ApusAlgorithms", "CApusYAML", "ApusJSON", "ApusPlatform", "ApusProcesses", "ApusSecrets"]),
  module(
    "ApusClientImports", "Client/Imports",
    [
      "ApusGraphQLMediaTypes",
      "ApusASCII", "ApusClientFormats", "ApusClientRequests", "ApusConfiguration",
      "ApusFormatting", "ApusGraphQLLanguage", "ApusGraphQLProjects", "ApusJSON", "ApusSecrets",
    ]),
  module(
    "ApusGraphQLProjects", "GraphQL/Projects",
    ["ApusConfiguration", "ApusDigest", "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusPlatform", "ApusSecrets"]),
  plain(
    "ApusGraphQLValidation", "GraphQL/Validation",
    ["ApusASCII", "ApusAlgorithms", "ApusGraphQLLanguage", "ApusGraphQLSchema"]),
  plain(
    "ApusGraphQLLanguageService", "GraphQL/LanguageService",
    ["ApusASCII", "ApusAlgorithms", "ApusGraphQLLanguage", "ApusGraphQLSchema", "ApusGraphQLValidation", "ApusJSON"]),
  module("ApusExplorerText", "Explorer/Text", ["ApusASCII", "ApusSecrets"]),
  plain(
    "ApusExplorerCore", "Explorer/Core",
    [
      "ApusGraphQLMediaTypes",
      "ApusASCII",
      "ApusAlgorithms",
      "ApusClientAPI", "ApusClientRequests", "ApusExplorerText", "ApusFormatting", "ApusGraphQLLanguageService",
      "ApusJSON",
      "ApusSecrets",
    ]),
  module(
    "ApusExplorerPersistence", "Explorer/Persistence",
    [
      "ApusASCII", "ApusGraphQLMediaTypes",
      "ApusClientAPI", "ApusClientRequestChain", "ApusClientRequests", "ApusConfiguration", "ApusExplorerCore",
      "ApusExplorerText", "ApusFormatting",
      "ApusGraphQLLanguage", "ApusGraphQLProjects", "ApusGraphQLSchema", "ApusJSON", "ApusPlatform", "ApusSQLite",
      "ApusSecrets",
    ]),
  library("CApusUTF8Proc", "System/CUTF8Proc"),
  module(
    "ApusExplorerTerminal", "Explorer/Terminal",
    ["ApusASCII", "CApusUTF8Proc", "ApusConfiguration", "ApusPlatform", "ApusSecrets"]),
  module(
    "ApusLanguageServer", "Tools/LanguageServer",
    [
      "ApusASCII",
      "ApusAlgorithms",
      "ApusConfiguration", "ApusDigest", "ApusGraphQLLanguage", "ApusGraphQLLanguageService", "ApusGraphQLProjects",
      "ApusGraphQLSchema", "ApusGraphQLValidation", "ApusJSON",
    ]),
]

let fuzzers: [Target] = [
  fuzzer("Document", ["ApusGraphQLLanguage"]),
  fuzzer("Printer", ["ApusGraphQLLanguage", "Meaning"]),
  fuzzer("Formatter", ["ApusGraphQLLanguage", "Meaning"]),
  fuzzer("Schema", ["ApusGraphQLLanguage", "ApusGraphQLSchema"]),
  fuzzer("Introspection", ["ApusGraphQLSchema", "ApusJSON"]),
  fuzzer("JSON", ["CApusSimdjson"]),
  fuzzer("JSONValue", ["ApusJSON"]),
  fuzzer("MediaType", ["ApusGraphQLMediaTypes"]),
  fuzzer("Multipart", ["ApusClientIncremental"]),
  fuzzer("ServerSentEvents", ["ApusClientIncremental"]),
  fuzzer("Merger", ["ApusClientIncremental", "ApusClientOperation", "ApusGraphQLLanguage", "ApusJSON"]),
  fuzzer(
    "Response",
    ["ApusClientCache", "ApusClientOperation", "ApusClientResultExecution", "ApusGraphQLLanguage", "ApusJSON"]),
  fuzzer("WebSocket", ["ApusWebSocket"]),
  fuzzer("Subscription", ["ApusClientSubscriptions", "ApusJSON"]),
  fuzzer("Head", ["ApusClientNetwork"]),
  fuzzer("URL", ["ApusClientNetwork"]),
  fuzzer("CurlCommand", ["ApusClientFormats", "ApusClientImports", "ApusClientRequests", "ApusSecrets"]),
  fuzzer("HTTPFile", ["ApusClientFormats", "ApusClientImports", "ApusClientRequests", "ApusSecrets"]),
  fuzzer("Import", ["ApusClientImports", "ApusSecrets"]),
  fuzzer("Recording", ["ApusClientFormats", "ApusJSON"]),
  fuzzer("TerminalSafeText", ["ApusClientFormats"]),
  fuzzer("Redactor", ["ApusGraphQLLanguage", "ApusJSON", "ApusSecrets"]),
  fuzzer("CacheRow", ["ApusClientCache", "ApusClientRecords", "ApusJSON"]),
  fuzzer("CacheImport", ["ApusClientCache", "ApusJSON"]),
  fuzzer("FilterAnswer", ["ApusFilters", "ApusPlatform"]),
  fuzzer("Workspace", ["ApusExplorerCore", "ApusExplorerPersistence", "ApusJSON"]),
  fuzzer("Configuration", ["ApusConfiguration", "ApusGraphQLProjects", "ApusSecrets"]),
  fuzzer("EnvironmentFile", ["ApusConfiguration"]),
  fuzzer("EditorMessages", ["ApusLanguageServer"]),
  fuzzer("EmbeddedText", ["ApusGraphQLProjects"]),
  fuzzer("Theme", ["ApusConfiguration", "ApusExplorerTerminal"]),
  fuzzer("TerminalInput", ["ApusExplorerTerminal"]),
  fuzzer("Screen", ["ApusExplorerTerminal"]),
]

let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  targets: modules + fuzzers + [
    .target(name: "FuzzDriver", path: "Driver"),
    .target(
      name: "Meaning", dependencies: ["ApusGraphQLLanguage"], path: "Meaning",
      swiftSettings: [.unsafeFlags(["-enable-testing"])]),
    .target(name: "FuzzHarness", dependencies: ["ApusPlatform", "FuzzDriver"], path: "Harness"),
    .executableTarget(
      name: "Survival", dependencies: ["ApusGraphQLLanguage"], path: "Survival",
      linkerSettings: [.unsafeFlags(["-sanitize=address"])]),
  ],
  cxxLanguageStandard: .cxx17
)
