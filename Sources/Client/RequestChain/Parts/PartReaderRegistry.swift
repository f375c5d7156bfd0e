import ApusClientAPI
import ApusClientIncremental
import ApusGraphQLMediaTypes
import ApusJSON

/// What one part of a response is to the reader.
public enum PartPayload: Sendable {
  /// A payload of the response: a first result or a later one.
  case payload(JSONValue)
  /// Sent to keep the connection open.
  case heartbeat
  /// The server ends the response with these errors.
  case fatal([GraphQLError])
}

/// Reads the parts of one multipart specification. One of your own is added to the registry of the chain.
public protocol PartReader: Sendable {
  /// The parameter of the content type that names the specification: `deferSpec=20220824`. Its name ends in `Spec`, which
  /// tells it from the other parameters.
  var specification: String { get }
  /// What a part is, by its JSON.
  func payload(of json: JSONValue) -> PartPayload
}

/// In both formats of incremental delivery a part is the payload itself.
public struct IncrementalPartReader: PartReader {
  public let specification: String

  /// The reader for `deferSpec=20220824`.
  public static let defer20220824 = IncrementalPartReader(.defer20220824)
  /// The reader for `incrementalSpec=v0.2`.
  public static let incrementalV02 = IncrementalPartReader(.incrementalV02)

  init(_ format: IncrementalFormat) {
    specification = format.specification
  }

  /// The part itself; an empty object keeps the connection open.
  public func payload(of json: JSONValue) -> PartPayload {
    json.kind == .object && json.count == 0 ? .heartbeat : .payload(json)
  }
}

/// In a multipart subscription each part wraps one result in `payload`.
public struct SubscriptionPartReader: PartReader {
  public let specification = GraphQLMediaType.subscriptionSpecification

  /// The reader for `subscriptionSpec=1.0`.
  public init() {}

  /// What is under `payload`; errors beside a null one end the response, those beside another one belong to it.
  public func payload(of json: JSONValue) -> PartPayload {
    if json.kind == .object, json.count == 0 { return .heartbeat }
    if let payload = json[present: "payload"] { return .payload(Self.adding(json["errors"], to: payload)) }
    // Some servers send the result without its wrapping.
    if json[present: "data"] != nil || (json["payload"] == nil && json["data"] != nil) { return .payload(json) }
    let errors = GraphQLError.list(json["errors"])
    if !errors.isEmpty { return .fatal(errors) }
    return json["payload"] == nil ? .payload(json) : .heartbeat
  }
}

extension SubscriptionPartReader {
  private static func adding(_ errors: JSONValue?, to payload: JSONValue) -> JSONValue {
    guard let errors, errors.kind == .array, errors.count > 0, payload.kind == .object else { return payload }
    let own = payload["errors"].map { $0.kind == .array ? $0.elements.map { $0 } : [] } ?? []
    let others = payload.members.filter { $0.key != "errors" }.map { ($0.key, $0.value) }
    return .object(others + [("errors", .array(own + errors.elements.map { $0 }))])
  }
}

/// Which reader takes the parts of which specification; without a specification the operation decides.
public struct PartReaderRegistry: Sendable {
  private var readers: [String: any PartReader] = [:]

  /// The readers of the incremental formats and of multipart subscriptions.
  public static let standard = PartReaderRegistry(
    IncrementalFormat.allCases.map(IncrementalPartReader.init) + [SubscriptionPartReader()])

  /// A registry of these readers; of two for one specification the later counts.
  public init(_ readers: [any PartReader]) {
    for reader in readers { register(reader) }
  }

  /// Adds a reader, in place of one for the same specification.
  public mutating func register(_ reader: any PartReader) {
    readers[reader.specification.lowercased()] = reader
  }

  func reader(for part: ResponsePart, isSubscription: Bool) -> any PartReader {
    if !part.isMultipart { return IncrementalPartReader.defer20220824 }
    if let specification = part.specification, let reader = readers[specification.lowercased()] { return reader }
    return isSubscription ? SubscriptionPartReader() : IncrementalPartReader.defer20220824
  }
}
