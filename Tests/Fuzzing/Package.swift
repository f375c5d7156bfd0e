// swift-tools-version: 6.1
import PackageDescription

// Fuzzers, apart from the main package because their flags do not belong in it. The modules under test are the main
// package's own sources, by symbolic links, so that what is `package` there is `package` here.

let fuzzer: [String] = ["-sanitize=fuzzer,address"]

/// Two functions of libFuzzer's give way to the driver's.
let wraps = ["", "_init"].flatMap { ["-Xlinker", "--wrap=__sanitizer_cov_trace_pc_guard\($0)"] }

/// A module of the main package, compiled so that the fuzzer sees which way it goes.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies,
    swiftSettings: [.unsafeFlags(["-sanitize=address", "-sanitize-coverage=edge,trace-cmp"])])
}

func fuzzTarget(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies + ["FuzzDriver"],
    swiftSettings: [.unsafeFlags(fuzzer + ["-parse-as-library"])],
    linkerSettings: [.unsafeFlags(fuzzer + wraps)])
}

let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  targets: [
    module("GraphQLLanguage"),
    .target(name: "FuzzDriver"),
    .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
    module("JSON", ["CSimdjson"]),
    module("GraphQLSchema", ["GraphQLLanguage", "JSON"]),
    module("ClientOperation", ["GraphQLLanguage", "GraphQLSchema", "JSON"]),
    module("ClientAPI", ["ClientOperation", "JSON"]),
    module("ClientIncremental", ["ClientAPI", "ClientOperation", "JSON"]),
    fuzzTarget("FuzzLanguage", ["GraphQLLanguage"]),
    fuzzTarget("FuzzDelivery", ["ClientIncremental", "ClientOperation", "GraphQLLanguage", "JSON"]),
    .executableTarget(
      name: "Survival", dependencies: ["GraphQLLanguage"], linkerSettings: [.unsafeFlags(["-sanitize=address"])]),
  ],
  cxxLanguageStandard: .cxx17
)
