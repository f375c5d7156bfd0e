import ApusJSON

/// The result of a resolver, before it is completed according to the field's type.
package enum ResolvedValue: Sendable {
  case null
  /// The value of a scalar, or the name of an enum value.
  case leaf(JSONValue)
  /// An object. If the field's type is abstract, `type` is the name of the object's type.
  case object(any Sendable, type: String? = nil)
  case list([ResolvedValue])
  /// A list whose items are produced one by one; nil ends it.
  case sequence(@Sendable () async throws -> ResolvedValue?)
  /// A list item that failed.
  case failure(ExecutionError)

  package static func string(_ text: String) -> ResolvedValue { .leaf(JSONValue(text)) }
  package static func int(_ number: Int) -> ResolvedValue { .leaf(JSONValue(number)) }
  package static func double(_ number: Double) -> ResolvedValue { .leaf(JSONValue(number)) }
  package static func bool(_ flag: Bool) -> ResolvedValue { .leaf(JSONValue(flag)) }

  package static func optional<Value>(_ value: Value?, _ make: (Value) -> ResolvedValue) -> ResolvedValue {
    value.map(make) ?? .null
  }
}

/// The input of a resolver.
package struct FieldContext: Sendable {
  /// The object that the field belongs to, as returned by its resolver.
  package let source: any Sendable
  /// The coerced arguments including defaults, without omitted ones.
  package let arguments: JSONValue
  /// The context of the request.
  package let request: any Sendable
  package let parentType: String
  package let fieldName: String

  package func source<Source>(as type: Source.Type = Source.self) throws -> Source {
    guard let source = source as? Source else {
      throw ExecutionError("\(parentType).\(fieldName) was resolved on a \(Swift.type(of: source)), not a \(type).")
    }
    return source
  }
}

/// The implementation of a field.
package enum Resolver: Sendable {
  /// Returns immediately, on the task that executes the request.
  case immediate(@Sendable (FieldContext) throws -> ResolvedValue)
  /// May suspend. Asynchronous siblings run concurrently.
  case asynchronous(@Sendable (FieldContext) async throws -> ResolvedValue)

  /// The default resolver: a member of a JSON object.
  static let property = Resolver.immediate { context in
    guard let object = context.source as? JSONValue, object.kind == .object else {
      throw ExecutionError("\(context.parentType).\(context.fieldName) has no resolver.")
    }
    return object[context.fieldName].map(ResolvedValue.init(json:)) ?? .null
  }
}

extension ResolvedValue {
  /// Creates a value from JSON. The type of an object is its `__typename`.
  package init(json: JSONValue) {
    switch json.kind {
    case .null: self = .null
    case .array: self = .list(json.elements.map(ResolvedValue.init(json:)))
    case .object: self = .object(json, type: json["__typename"]?.string)
    case .bool, .number, .string: self = .leaf(json)
    }
  }
}

/// The resolvers and custom scalars of an executable schema.
package struct Resolvers: Sendable {
  /// The event stream of a subscription field.
  package typealias EventSource =
    @Sendable (FieldContext) async throws -> AsyncThrowingStream<ResolvedValue, any Error>

  private var fields: [String: [String: Resolver]] = [:]
  private var eventSources: [String: EventSource] = [:]
  private var otherField = Resolver.property
  private var otherEvents: EventSource?
  private(set) var scalars: [String: ScalarCoding] = [:]

  package init() {}

  package mutating func field(
    _ type: String, _ name: String, _ resolve: @escaping @Sendable (FieldContext) throws -> ResolvedValue
  ) {
    fields[type, default: [:]][name] = .immediate(resolve)
  }

  package mutating func asyncField(
    _ type: String, _ name: String, _ resolve: @escaping @Sendable (FieldContext) async throws -> ResolvedValue
  ) {
    fields[type, default: [:]][name] = .asynchronous(resolve)
  }

  /// Sets the event stream of a subscription field. Each event becomes the value of that field.
  package mutating func events(_ name: String, _ source: @escaping EventSource) {
    eventSources[name] = source
  }

  /// Sets the resolver for all other fields, instead of reading JSON objects.
  package mutating func everyOtherField(_ resolver: Resolver) {
    otherField = resolver
  }

  /// Sets the event stream for all other subscription fields.
  package mutating func everyOtherEvent(_ source: @escaping EventSource) {
    otherEvents = source
  }

  package mutating func scalar(_ name: String, _ coding: ScalarCoding) {
    scalars[name] = coding
  }

  func resolver(_ type: String, _ name: String) -> Resolver {
    fields[type]?[name] ?? otherField
  }

  func eventSource(_ name: String) -> EventSource? { eventSources[name] ?? otherEvents }
}
