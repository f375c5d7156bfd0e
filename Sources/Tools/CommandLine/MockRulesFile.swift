import ApusConfiguration
import ApusDemo
import ApusFormatting
import ApusGraphQLSchema
import ApusPlatform

/// The file of `apus serve --rules`, which is read again when it changes.
struct MockRulesFile: Sendable {
  let path: String
  let schema: Schema

  func read() throws(CommandError) -> MockRules { try rules(try LocalFile.read(path)) }

  private func rules(_ bytes: [UInt8]) throws(CommandError) -> MockRules {
    do throws(ConfigurationError) {
      return try MockRules(YAMLParser.parse(bytes, file: path), schema: schema)
    } catch {
      throw .file("\(error)")
    }
  }

  /// Applies the rules after each change of the file until the task is canceled. Rules with a mistake are reported, and the
  /// earlier ones stay in effect; so they do while the file is missing.
  func follow(_ apply: (MockRules) -> Void) async {
    var last = try? LocalFile.read(path)
    var stamp = FileStamp(path)
    while (try? await Task.sleep(for: .milliseconds(300))) != nil {
      let current = FileStamp(path)
      guard current != stamp || current?.isRecent == true else { continue }
      stamp = current
      guard let bytes = try? LocalFile.read(path), bytes != last else { continue }
      last = bytes
      do throws(CommandError) {
        let rules = try rules(bytes)
        apply(rules)
        StandardStreams.narrate("apus: \(path): \(DisplayFormat.plural(rules.count, "rule"))")
      } catch {
        StandardStreams.narrate("apus: \(error.message); the earlier rules stay in effect")
      }
    }
  }
}
