/// The names of the media types of GraphQL responses.
///
/// Source: GraphQL over HTTP (draft), sections "Media Types" and "Accept"; Apollo's multipart subscription protocol;
/// GraphQL over Server-Sent Events.
package enum GraphQLMediaType {
  package static let response = "application/graphql-response+json"
  package static let json = "application/json"
  package static let eventStream = "text/event-stream"
  package static let multipart = "multipart/mixed"
  /// The `Accept` field of a client that reads one JSON response, in the form that GraphQL over HTTP recommends (section
  /// "Legacy Watershed"). The older type has a lower quality, because its status codes say less.
  package static let single = "\(response), \(json);q=0.9"
  /// The parameter of `multipart/mixed` for the events of a subscription.
  package static let subscriptionSpecification = "subscriptionSpec=1.0"
}
