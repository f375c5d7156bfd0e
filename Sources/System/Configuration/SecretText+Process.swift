import ApusSecrets

extension SecretText {
  /// The text as it is to be sent, with the variables of this process. Commands may take their time: call this where
  /// waiting is allowed.
  package func resolved(
    environment: [String: String] = ProcessEnvironment.variables,
    run: (String) throws(SecretTextError) -> String = CommandOutput.of
  ) throws(SecretTextError) -> String {
    try resolved(variable: { environment[$0] }, run: run)
  }
}
