import ApusSecrets

extension SecretText {
  /// Resolves the text with an environment. Blocks while commands run; the commands see only the environment of the
  /// process.
  package func resolved(
    environment: [String: String],
    run: (String) throws(SecretTextError) -> String = CommandOutput.of
  ) throws(SecretTextError) -> String {
    try resolved(variable: { environment[$0] }, run: run)
  }
}
