import ApusClientRequests
import ApusConfiguration
import ApusSecrets

/// The `{{names}}` of a command line that the environment of its profile defines.
enum ProfileReferences {
  /// Returns a text with the values of its references. A value that cannot be resolved is an error before anything is sent.
  static func filled(
    _ text: String, _ syntax: TemplateText.Syntax, _ profile: Profile?, _ arguments: ParsedArguments,
    _ secrets: SecretValues
  ) throws(CommandError) -> String {
    guard text.contains("{{") else { return text }
    var values: [String: String] = [:]
    if let profile {
      let defined = Set(profile.environment.map(\.name))
      for name in TemplateText.names(in: text, isReference: defined.contains) where values[name] == nil {
        do throws(SecretTextError) {
          let value = try profile.resolved(SecretText(parts: [.variable(name)]), process: arguments.environment)
          secrets.add(header: name, value, isLive: true)
          values[name] = value
        } catch {
          throw .usage("{{\(name)}} of the profile '\(profile.name)': \(error)", command: arguments.command.name)
        }
      }
    }
    return TemplateText.filled(text, syntax, values: values)
  }
}
