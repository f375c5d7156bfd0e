/// A request to run an operation on another endpoint too, after its run on this one.
package struct OtherEndpointRun: Equatable, Sendable {
  /// The name or URL of the other endpoint.
  var word: String
  /// The tab with the operation.
  var tab: Int
  /// The run on this endpoint that must end first; nil while the other endpoint is being opened.
  var awaitedRun: Int?
  /// The other endpoint, once it is being opened.
  var endpoint: EndpointID?
}
