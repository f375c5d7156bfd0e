import ClientAPI
import ClientIncremental
import JSON

/// What one part of a response is to the reader.
package enum PartPayload: Sendable {
  /// A payload of the response: a first result or a later one.
  case payload(JSONValue)
  /// Sent to keep the connection open.
  case heartbeat
  /// The server ends the response with these errors.
  case fatal([GraphQLError])
}

/// Reads the parts of one multipart specification.
package protocol PartPayloadReader: Sendable {
  func payload(of json: JSONValue) -> PartPayload
}

/// In both formats of incremental delivery a part is the payload itself.
package struct IncrementalPartReader: PartPayloadReader {
  package init() {}

  package func payload(of json: JSONValue) -> PartPayload {
    json.kind == .object && json.count == 0 ? .heartbeat : .payload(json)
  }
}

/// In a multipart subscription each part wraps one result in `payload`.
package struct SubscriptionPartReader: PartPayloadReader {
  package init() {}

  package func payload(of json: JSONValue) -> PartPayload {
    if json.kind == .object, json.count == 0 { return .heartbeat }
    guard let payload = json["payload"] else {
      let errors = GraphQLError.list(json["errors"])
      // Some servers send the result without its wrapping.
      return errors.isEmpty || json["data"] != nil ? .payload(json) : .fatal(errors)
    }
    guard payload.isNull else { return .payload(payload) }
    let errors = GraphQLError.list(json["errors"])
    return errors.isEmpty ? .heartbeat : .fatal(errors)
  }
}

/// Which reader takes the parts of which specification; without a specification the operation decides.
package struct PartReaderRegistry: Sendable {
  private var readers: [MultipartSpecification: any PartPayloadReader]

  package init(
    readers: [MultipartSpecification: any PartPayloadReader] = [
      .defer20220824: IncrementalPartReader(), .incrementalV02: IncrementalPartReader(),
      .subscription10: SubscriptionPartReader(),
    ]
  ) {
    self.readers = readers
  }

  package func reader(for part: ResponsePart, isSubscription: Bool) -> any PartPayloadReader {
    if !part.isMultipart { return IncrementalPartReader() }
    if let specification = part.specification, let reader = readers[specification] { return reader }
    return isSubscription ? SubscriptionPartReader() : IncrementalPartReader()
  }
}
