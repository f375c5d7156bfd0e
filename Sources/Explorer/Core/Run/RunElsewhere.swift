/// A request to run an operation on another endpoint too, after its run on this one.
package struct RunElsewhere: Equatable, Sendable {
  var endpoint: String
  /// The run on this endpoint that must end first; nil while the other endpoint is being opened.
  var awaitedRun: Int?
}
