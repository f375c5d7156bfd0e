import ApusSecrets

extension SecretText {
  /// The text to send, with the variables of an environment. Commands may take their time: call this where
  /// waiting is allowed. They see the process's own environment alone.
  package func resolved(
    environment: [String: String],
    run: (String) throws(SecretTextError) -> String = CommandOutput.of
  ) throws(SecretTextError) -> String {
    try resolved(variable: { environment[$0] }, run: run)
  }
}
