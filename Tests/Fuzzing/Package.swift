// swift-tools-version: 6.1
import PackageDescription

// Fuzzers, apart from the main package because their flags do not belong in it. The modules under test are the main
// package's own sources (`Modules` is a link to them), so that what is `package` there is `package` here.

let address = "-sanitize=address"

/// Marks each edge in a counter of its own, which libFuzzer reads: as many as a fuzzer's modules have edges.
let coverage = [
  "-sanitize-coverage=edge,trace-cmp", "-Xllvm", "-sanitizer-coverage-inline-8bit-counters", "-Xllvm",
  "-sanitizer-coverage-pc-table",
]

/// A module that is tested: the fuzzer sees which way it goes.
func module(_ name: String, _ path: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Modules/\(path)",
    swiftSettings: [.unsafeFlags([address, "-enable-testing"] + coverage)])
}

/// A module that only has to be there; to optimise it would take more time than it saves.
func plain(_ name: String, _ path: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Modules/\(path)",
    swiftSettings: [.unsafeFlags([address, "-enable-testing", "-Onone"])])
}

/// A module that tested ones stand on.
func support(_ name: String, _ path: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Modules/\(path)",
    swiftSettings: [.unsafeFlags([address, "-enable-testing"])])
}

func library(_ name: String, pkgConfig: String? = nil) -> Target {
  .systemLibrary(name: name, path: "Modules/System/\(name)", pkgConfig: pkgConfig)
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
    name: "CSimdjson", path: "Modules/System/CSimdjson",
    cxxSettings: [
      // Short texts come in pieces too.
      .define("APUS_JSON_PIECE_SIZE", to: "16"),
      .unsafeFlags(["-fsanitize=address", "-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp"]),
    ], linkerSettings: [.linkedLibrary("simdjson")]),
  module("JSON", "System/JSON", ["CSimdjson"]),
  module("GraphQLLanguage", "GraphQL/Language"),
  module("GraphQLSchema", "GraphQL/Schema", ["GraphQLLanguage", "JSON"]),
  support("ClientOperation", "Client/Operation", ["GraphQLLanguage", "GraphQLSchema", "JSON"]),
  support("ClientAPI", "Client/API", ["ClientOperation", "JSON"]),
  module("ClientIncremental", "Client/Incremental", ["ClientAPI", "ClientOperation", "JSON"]),
  module("ClientResultExecution", "Client/ResultExecution", ["ClientOperation", "JSON"]),
  library("CSQLite", pkgConfig: "sqlite3"),
  module(
    "ClientCache", "Client/Cache",
    [
      "ClientAPI", "ClientOperation", "ClientResultExecution", "CSQLite", "Digest", "GraphQLLanguage", "GraphQLSchema",
      "JSON",
    ]),
  library("CCrypto", pkgConfig: "libcrypto"),
  library("CWSLay"),
  support("Digest", "System/Digest", ["CCrypto"]),
  module("WebSocket", "System/WebSocket", ["CWSLay", "Digest"]),
  .target(name: "CLazyLoad", path: "Modules/System/CLazyLoad"),
  .target(name: "CCurl", dependencies: ["CLazyLoad"], path: "Modules/System/CCurl"),
  .target(name: "CJQ", dependencies: ["CLazyLoad"], path: "Modules/System/CJQ"),
  module("ClientNetwork", "Client/Network", ["CCurl", "Digest", "WebSocket"]),
  module("ClientSubscriptions", "Client/Subscriptions", ["ClientNetwork", "JSON"]),
  plain(
    "ClientRequestChain", "Client/RequestChain",
    [
      "ClientAPI", "ClientCache", "ClientIncremental", "ClientNetwork", "ClientOperation", "ClientResultExecution",
      "ClientSubscriptions", "Digest", "JSON",
    ]),
  plain(
    "ClientCore", "Client/Core",
    [
      "ClientAPI", "ClientCache", "ClientNetwork", "ClientOperation", "ClientRequestChain", "ClientSubscriptions",
      "GraphQLSchema", "JSON",
    ]),
  plain(
    "ClientPagination", "Client/Pagination",
    [
      "ClientAPI", "ClientCache", "ClientCore", "ClientOperation", "ClientRequestChain", "GraphQLLanguage",
      "GraphQLSchema", "JSON",
    ]),
  module(
    "ClientFormats", "Client/Formats",
    [
      "ClientAPI", "ClientCache", "ClientNetwork", "ClientOperation", "ClientRequestChain", "ClientSubscriptions",
      "JSON", "Secrets",
    ]),
  .target(name: "CSpawn", path: "Modules/System/CSpawn"),
  support("Processes", "System/Processes", ["CSpawn"]),
  module("Filters", "System/Filters", ["CJQ", "Processes"]),
  library("CYAML", pkgConfig: "yaml-0.1"),
  module("Secrets", "System/Secrets", ["JSON"]),
  module("Configuration", "System/Configuration", ["CYAML", "Digest", "Processes", "Secrets"]),
  plain("GraphQLValidation", "GraphQL/Validation", ["GraphQLLanguage", "GraphQLSchema"]),
  plain(
    "GraphQLLanguageService", "GraphQL/LanguageService",
    ["GraphQLLanguage", "GraphQLSchema", "GraphQLValidation", "JSON"]),
  module("ExplorerText", "Explorer/Text", ["Secrets"]),
  plain(
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
  library("CUTF8Proc"),
  module("ExplorerTerminal", "Explorer/Terminal", ["Configuration", "CUTF8Proc"]),
]

let fuzzers: [Target] = [
  fuzzer("Document", ["GraphQLLanguage"]),
  fuzzer("Printer", ["GraphQLLanguage", "Meaning"]),
  fuzzer("Formatter", ["GraphQLLanguage", "Meaning"]),
  fuzzer("Schema", ["GraphQLLanguage", "GraphQLSchema"]),
  fuzzer("Introspection", ["GraphQLSchema", "JSON"]),
  fuzzer("JSON", ["CSimdjson"]),
  fuzzer("JSONValue", ["JSON"]),
  fuzzer("MediaType", ["ClientIncremental"]),
  fuzzer("Multipart", ["ClientIncremental"]),
  fuzzer("ServerSentEvents", ["ClientIncremental"]),
  fuzzer("Merger", ["ClientIncremental", "ClientOperation", "GraphQLLanguage", "JSON"]),
  fuzzer("Response", ["ClientCache", "ClientOperation", "ClientResultExecution", "GraphQLLanguage", "JSON"]),
  fuzzer("WebSocket", ["WebSocket"]),
  fuzzer("Subscription", ["ClientSubscriptions", "JSON"]),
  fuzzer("Head", ["ClientNetwork"]),
  fuzzer("URL", ["ClientNetwork"]),
  fuzzer("CurlCommand", ["ClientFormats", "JSON"]),
  fuzzer("HTTPFile", ["ClientFormats", "JSON"]),
  fuzzer("Recording", ["ClientFormats", "JSON"]),
  fuzzer("VisibleText", ["ClientFormats"]),
  fuzzer("Redactor", ["GraphQLLanguage", "JSON", "Secrets"]),
  fuzzer("CacheRow", ["ClientCache", "JSON"]),
  fuzzer("CacheImport", ["ClientCache", "JSON"]),
  fuzzer("FilterAnswer", ["Filters"]),
  fuzzer("Workspace", ["ExplorerCore", "ExplorerKeeping", "JSON"]),
  fuzzer("Configuration", ["Configuration", "Secrets"]),
  fuzzer("Theme", ["Configuration", "ExplorerTerminal"]),
  fuzzer("TerminalInput", ["ExplorerTerminal"]),
  fuzzer("Screen", ["ExplorerTerminal"]),
]

let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  targets: modules + fuzzers + [
    .target(name: "FuzzDriver", path: "Driver"),
    .target(
      name: "Meaning", dependencies: ["GraphQLLanguage"], path: "Meaning",
      swiftSettings: [.unsafeFlags(["-enable-testing"])]),
    .target(name: "FuzzHarness", dependencies: ["FuzzDriver"], path: "Harness"),
    .executableTarget(
      name: "Survival", dependencies: ["GraphQLLanguage"], path: "Survival",
      linkerSettings: [.unsafeFlags(["-sanitize=address"])]),
  ],
  cxxLanguageStandard: .cxx17
)
