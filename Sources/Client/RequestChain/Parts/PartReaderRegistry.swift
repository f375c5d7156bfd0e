import ApusClientAPI
import ApusClientIncremental
import ApusGraphQLMediaTypes
import ApusJSON

/// The meaning of one part of a response.
public enum PartPayload: Sendable {
  /// A payload of the response: the initial result or a subsequent one.
  case payload(JSONValue)
  /// A part that only keeps the connection open.
  case heartbeat
  /// The server ends the response with these errors.
  case fatal([GraphQLError])
}

/// Reads the parts of one multipart specification. Custom readers are added to the registry of the chain.
public protocol PartReader: Sendable {
  /// The content type parameter that names the specification, such as `deferSpec=20220824`. Its name must end in
  /// `Spec`.
  var specification: String { get }
  /// Returns the meaning of a part with this JSON.
  func payload(of json: JSONValue) -> PartPayload
}

/// The reader of both incremental formats, where a part is the payload itself.
public struct IncrementalPartReader: PartReader {
  public let specification: String

  /// The reader for `deferSpec=20220824`.
  public static let defer20220824 = IncrementalPartReader(.defer20220824)
  /// The reader for `incrementalSpec=v0.2`.
  public static let incrementalV02 = IncrementalPartReader(.incrementalV02)

  init(_ format: IncrementalFormat) {
    specification = format.specification
  }

  /// Returns the part itself; an empty object is a heartbeat.
  public func payload(of json: JSONValue) -> PartPayload {
    json.kind == .object && json.count == 0 ? .heartbeat : .payload(json)
  }
}

/// The reader of multipart subscriptions, where each part contains one result as `payload`.
public struct SubscriptionPartReader: PartReader {
  public let specification = GraphQLMediaType.subscriptionSpecification

  /// Creates the reader for `subscriptionSpec=1.0`.
  public init() {}

  /// Returns the value of `payload`. Errors next to a null payload end the response; next to any other
  /// payload they belong to it.
  public func payload(of json: JSONValue) -> PartPayload {
    if json.kind == .object, json.count == 0 { return .heartbeat }
    if let payload = json[present: "payload"] { return .payload(Self.adding(json["errors"], to: payload)) }
    // Some servers send the result without the wrapper.
    if json[present: "data"] != nil || (json["payload"] == nil && json["data"] != nil) { return .payload(json) }
    let errors = GraphQLError.list(json["errors"])
    if !errors.isEmpty { return .fatal(errors) }
    return json["payload"] == nil ? .payload(json) : .heartbeat
  }
}

extension SubscriptionPartReader {
  private static func adding(_ errors: JSONValue?, to payload: JSONValue) -> JSONValue {
    guard let errors, errors.kind == .array, errors.count > 0, payload.kind == .object else { return payload }
    let payloadErrors = payload["errors"].map { $0.kind == .array ? $0.elements.map { $0 } : [] } ?? []
    let others = payload.members.filter { $0.key != "errors" }.map { ($0.key, $0.value) }
    return .object(others + [("errors", .array(payloadErrors + errors.elements.map { $0 }))])
  }
}

/// The readers of parts by specification. Without a specification the operation type determines the reader.
public struct PartReaderRegistry: Sendable {
  private var readers: [String: any PartReader] = [:]

  /// Readers of the incremental formats and of multipart subscriptions.
  public static let standard = PartReaderRegistry(
    IncrementalFormat.allCases.map(IncrementalPartReader.init) + [SubscriptionPartReader()])

  /// Creates a registry. If two readers have the same specification, the later one is used.
  public init(_ readers: [any PartReader]) {
    for reader in readers { register(reader) }
  }

  /// Adds a reader, replacing one for the same specification.
  public mutating func register(_ reader: any PartReader) {
    readers[reader.specification.lowercased()] = reader
  }

  func reader(for part: ResponsePart, isSubscription: Bool) -> any PartReader {
    if !part.isMultipart { return IncrementalPartReader.defer20220824 }
    if let specification = part.specification, let reader = readers[specification.lowercased()] { return reader }
    return isSubscription ? SubscriptionPartReader() : IncrementalPartReader.defer20220824
  }
}
