/// What runs here and is to run at another endpoint, too.
package struct RunElsewhere: Equatable, Sendable {
  var endpoint: String
  /// The run here that must end first; nil while the other endpoint is being opened.
  var awaitedRun: Int?
}
