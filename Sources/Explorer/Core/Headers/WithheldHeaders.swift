import ApusSecrets

/// A question about headers that are withheld from a server, and the request that waits for its answer.
package struct WithheldHeaders: Equatable, Sendable {
  /// The request that waits for the answer.
  package enum Purpose: Equatable, Sendable {
    /// `confirmed` is the run on production that the user confirmed before.
    case run(confirmed: ShownRun?)
    case schema
    /// Run the operation here and on another endpoint.
    case runOnOtherEndpoint(String)
  }

  let purpose: Purpose
  let tab: Int
  let origin: Origin
}
