import ApusJSON

/// What a resolver gives for its field, before the field's type has shaped it.
package enum ResolvedValue: Sendable {
  case null
  /// The inner value of a scalar, or the name of an enum value.
  case leaf(JSONValue)
  /// An object; where the field's type is abstract, its type's name too.
  case object(any Sendable, type: String? = nil)
  case list([ResolvedValue])
  /// A list whose items come one after the other; nil ends it.
  case sequence(@Sendable () async throws -> ResolvedValue?)
  /// One item of a list that failed, the others being fine.
  case failure(ExecutionError)

  package static func string(_ text: String) -> ResolvedValue { .leaf(JSONValue(text)) }
  package static func int(_ number: Int) -> ResolvedValue { .leaf(JSONValue(number)) }
  package static func double(_ number: Double) -> ResolvedValue { .leaf(JSONValue(number)) }
  package static func bool(_ flag: Bool) -> ResolvedValue { .leaf(JSONValue(flag)) }

  package static func optional<Value>(_ value: Value?, _ make: (Value) -> ResolvedValue) -> ResolvedValue {
    value.map(make) ?? .null
  }
}

/// What a resolver knows about the field that it resolves.
package struct FieldContext: Sendable {
  /// The object that the field belongs to, as its own resolver gave it.
  package let source: any Sendable
  /// Coerced arguments with their defaults; an argument that was left out is absent.
  package let arguments: JSONValue
  /// What the request was executed with.
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

/// How one field gets its value.
package enum Resolver: Sendable {
  /// At once, on the task that executes the request.
  case immediate(@Sendable (FieldContext) throws -> ResolvedValue)
  /// After a while; such siblings run at the same time.
  case asynchronous(@Sendable (FieldContext) async throws -> ResolvedValue)

  /// For a field that has no resolver: its key in a JSON object.
  static let property = Resolver.immediate { context in
    guard let object = context.source as? JSONValue, object.kind == .object else {
      throw ExecutionError("\(context.parentType).\(context.fieldName) has no resolver.")
    }
    return object[context.fieldName].map(ResolvedValue.init(json:)) ?? .null
  }
}

extension ResolvedValue {
  /// A JSON tree as a value: an object tells its type in `__typename`.
  package init(json: JSONValue) {
    switch json.kind {
    case .null: self = .null
    case .array: self = .list(json.elements.map(ResolvedValue.init(json:)))
    case .object: self = .object(json, type: json["__typename"]?.string)
    case .bool, .number, .string: self = .leaf(json)
    }
  }
}

/// The resolvers and custom scalars that make a schema executable.
package struct Resolvers: Sendable {
  /// The events of one subscription field.
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

  /// The events of a field of the subscription type; each one becomes the root object's field of that name.
  package mutating func events(_ name: String, _ source: @escaping EventSource) {
    eventSources[name] = source
  }

  /// For the fields that have no resolver of their own; else they are looked up in a JSON object.
  package mutating func everyOtherField(_ resolver: Resolver) {
    otherField = resolver
  }

  /// For the fields of the subscription type that have no events of their own.
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
