// swift-tools-version: 6.1
import PackageDescription

// Fuzzers, apart from the main package because their flags do not belong in it. The modules under test are the main
// package's own sources, by symbolic links, so that what is `package` there is `package` here.

let fuzzer: [String] = ["-sanitize=fuzzer,address"]

let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  targets: [
    .target(
      name: "GraphQLLanguage",
      swiftSettings: [.unsafeFlags(["-sanitize=address", "-sanitize-coverage=edge,trace-cmp"])]),
    .executableTarget(
      name: "FuzzLanguage", dependencies: ["GraphQLLanguage"],
      swiftSettings: [.unsafeFlags(fuzzer + ["-parse-as-library"])], linkerSettings: [.unsafeFlags(fuzzer)]),
    .executableTarget(
      name: "Survival", dependencies: ["GraphQLLanguage"], linkerSettings: [.unsafeFlags(["-sanitize=address"])]),
  ]
)
