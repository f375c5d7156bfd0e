import ApusSecrets
import FuzzHarness

@testable import ApusConfiguration
@testable import ApusGraphQLProjects

/// The configuration of a user or project is loaded, or rejected with one line. A project's configuration uses nothing
/// from the environment unless it is trusted.
@main enum ConfigurationTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let root: YAMLNode
    do throws(ConfigurationError) {
      root = try YAMLParser.parse(bytes, file: "config.yml")
    } catch {
      return expectLine(error)
    }
    do throws(ConfigurationError) {
      for profile in try Settings(root).profiles {
        for header in profile.headers + profile.environment {
          _ = try? profile.resolved(header.value, process: ["HOME": "/"]) { (_) throws(SecretTextError) in "" }
        }
      }
    } catch {
      expectLine(error)
    }
    do throws(ConfigurationError) {
      let config = try GraphQLConfig(ProjectFile(path: "/project/.graphqlrc.yml", bytes: bytes))
      for endpoint in config.endpoints {
        let profile = try? config.profile(
          of: endpoint, trust: nil, isNamed: true, environment: ["HOME": "planted"])
        guard let profile else { continue }
        expect(!profile.url.contains("planted") && profile.headers.isEmpty, "it is not trusted: \(profile)")
      }
    } catch {
      expectLine(error)
    }
  }

  private static func expectLine(_ error: ConfigurationError) {
    let text = "\(error)"
    expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "not a line: \(text)")
  }
}
