import ApusGraphQLLanguage
import ApusJSON

/// The reason why an introspection result cannot be used.
package enum IntrospectionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Neither the value nor its `data` has a `__schema`.
  case noSchema
  /// The server returned an error instead.
  case refused(String)
  /// A required member is missing or has the wrong type.
  case malformed(path: String, expected: String)
  /// A name that is not a valid GraphQL name.
  case badName(path: String, name: String)

  package var description: String {
    switch self {
    case .noSchema: "The introspection result has no \"__schema\"."
    case .refused(let reason): "The introspection result has no \"__schema\", and the error \"\(reason)\"."
    case .malformed(let path, let expected): "The introspection result is malformed: \(path) is not \(expected)."
    case .badName(let path, let name): "The introspection result is malformed: \(path) is the bad name \"\(name)\"."
    }
  }
}

extension Schema {
  /// The source name of documents created from introspection results. Their locations are meaningless to users.
  package static let introspectionSource = "introspection result"

  /// The comment before a default value of an introspection result that is not a GraphQL literal.
  package static let unreadableDefaultMark = "# not a GraphQL literal\n"

  /// Builds a schema from an introspection result, with or without the enclosing `data`. Members that older servers do
  /// not send may be missing.
  package static func load(
    introspection: JSONValue, impliesIncremental: Bool = true
  ) throws(IntrospectionError) -> Schema {
    load(sdl: [try definitions(introspection: introspection)], impliesIncremental: impliesIncremental)
  }

  /// Returns the definitions of an introspection result, as a document that can be combined with others.
  package static func definitions(introspection: JSONValue) throws(IntrospectionError) -> Document {
    guard let schema = introspection["__schema"] ?? introspection["data"]?["__schema"], schema.kind == .object else {
      if let reason = introspection["errors"]?[0]?["message"]?.string { throw .refused(reason) }
      throw .noSchema
    }
    var reader = IntrospectionReader()
    try reader.read(schema)
    return Document(parsing: reader.text, name: introspectionSource, limits: ParserLimits(depth: 2000))
  }
}

/// Converts an introspection result to SDL, so that schemas are built in only one way:
/// `{"kind": "SCALAR", "name": "Date"}` becomes `scalar Date`.
struct IntrospectionReader {
  private(set) var text: [UInt8] = []
  /// The current path, for errors.
  private var path: [String] = []
  /// The interfaces of each object according to the `possibleTypes` of interfaces.
  private var interfaces: [String: [String]] = [:]

  mutating func read(_ schema: JSONValue) throws(IntrospectionError) {
    text.reserveCapacity(1 << 16)
    try writeRoots(schema)
    guard let types = schema["types"], types.kind == .array else {
      throw .malformed(path: "__schema.types", expected: "a list")
    }
    for type in types.elements where type["kind"]?.string == "INTERFACE" {
      guard let name = type["name"]?.string, Document.isName(name) else { continue }
      for object in (type["possibleTypes"] ?? .null).elements {
        if let object = object["name"]?.string { interfaces[object, default: []].append(name) }
      }
    }
    var index = 0
    for type in types.elements {
      path = ["__schema.types[\(index)]"]
      try writeType(type)
      index += 1
    }
    index = 0
    for directive in schema["directives"]?.elements ?? JSONValue.null.elements {
      path = ["__schema.directives[\(index)]"]
      try writeDirective(directive)
      index += 1
    }
  }

  private mutating func writeRoots(_ schema: JSONValue) throws(IntrospectionError) {
    writeDescription(schema)
    write("schema {\n")
    for operation in ["query", "mutation", "subscription"] {
      path = ["__schema.\(operation)Type"]
      guard let type = schema[operation + "Type"], !type.isNull else { continue }
      write("\(operation): \(try name(type))\n")
    }
    write("}\n")
  }

  private mutating func writeType(_ type: JSONValue) throws(IntrospectionError) {
    let name = try name(type)
    // Introspection types are built in.
    if name.hasPrefix("__") { return }
    switch type["kind"]?.string {
    case "SCALAR":
      if BuiltInDefinitions.scalars.contains(name) { return }
      writeDescription(type)
      write("scalar \(name)")
      if let url = (type["specifiedByURL"] ?? type["specifiedByUrl"])?.string {
        write(" @specifiedBy(url: \(StringEncoder.quoted(url)))")
      }
      write("\n")
    case "OBJECT":
      writeDescription(type)
      try writeComposite(type, "type \(name)")
    case "INTERFACE":
      writeDescription(type)
      try writeComposite(type, "interface \(name)")
    case "UNION":
      writeDescription(type)
      write("union \(name)")
      write(names: try names(type["possibleTypes"]), first: " = ", " | ")
      write("\n")
    case "ENUM":
      writeDescription(type)
      write("enum \(name)")
      try writeMembers(type, "enumValues") { (reader, value) throws(IntrospectionError) in
        reader.write(try reader.name(value))
        reader.writeDeprecation(value)
      }
    case "INPUT_OBJECT":
      writeDescription(type)
      write("input \(name)")
      if type["isOneOf"]?.bool == true { write(" @oneOf") }
      try writeMembers(type, "inputFields") { (reader, value) throws(IntrospectionError) in
        try reader.writeInputValue(value)
      }
    default:
      throw .malformed(path: path.joined(separator: ".") + ".kind", expected: "a kind of type")
    }
  }

  private mutating func writeComposite(_ type: JSONValue, _ head: String) throws(IntrospectionError) {
    write(head)
    let named = try names(type["interfaces"])
    // Some servers send only the possible types of an interface.
    let isObject = type["kind"]?.string == "OBJECT"
    let others = isObject ? interfaces[try name(type)] ?? [] : []
    write(names: named + others.filter { !named.contains($0) }, first: " implements ", " & ")
    try writeMembers(type, "fields") { (reader, field) throws(IntrospectionError) in
      reader.write(try reader.name(field))
      try reader.writeArguments(field)
      reader.write(": ")
      try reader.writeReference(field["type"])
      reader.writeDeprecation(field)
    }
  }

  private mutating func writeDirective(_ directive: JSONValue) throws(IntrospectionError) {
    let name = try name(directive)
    let locations = directive["locations"]?.elements.compactMap(\.string) ?? oldLocations(directive)
    let validLocations = locations.filter { DirectiveLocation(rawValue: $0) != nil }
    // A directive without locations cannot be written in SDL or used.
    guard !validLocations.isEmpty else { return }
    writeDescription(directive)
    write("directive @\(name)")
    try writeArguments(directive)
    writeDeprecation(directive)
    if directive["isRepeatable"]?.bool == true { write(" repeatable") }
    write(" on \(validLocations.joined(separator: " | "))\n")
  }

  /// Converts the three flags that servers before 2016 sent instead of locations.
  private func oldLocations(_ directive: JSONValue) -> [String] {
    var locations: [String] = []
    if directive["onOperation"]?.bool == true { locations += ["QUERY", "MUTATION", "SUBSCRIPTION"] }
    if directive["onFragment"]?.bool == true {
      locations += ["FRAGMENT_DEFINITION", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"]
    }
    if directive["onField"]?.bool == true { locations.append("FIELD") }
    return locations
  }

  // MARK: Members

  private mutating func writeMembers(
    _ type: JSONValue, _ key: String,
    _ writeMember: (inout IntrospectionReader, JSONValue) throws(IntrospectionError) -> Void
  ) throws(IntrospectionError) {
    path.append(key)
    defer { path.removeLast() }
    guard let members = type[key], members.count > 0 else { return write("\n") }
    write(" {\n")
    for member in members.elements {
      writeDescription(member)
      try writeMember(&self, member)
      write("\n")
    }
    write("}\n")
  }

  private mutating func writeArguments(_ owner: JSONValue) throws(IntrospectionError) {
    guard let arguments = owner["args"], arguments.count > 0 else { return }
    path.append("args")
    defer { path.removeLast() }
    write("(")
    for argument in arguments.elements {
      writeDescription(argument)
      try writeInputValue(argument)
      write("\n")
    }
    write(")")
  }

  private mutating func writeInputValue(_ value: JSONValue) throws(IntrospectionError) {
    write(try name(value))
    write(": ")
    try writeReference(value["type"])
    if let defaultValue = value["defaultValue"], !defaultValue.isNull { writeDefault(defaultValue) }
    writeDeprecation(value)
  }

  /// Writes a default value. Some servers send text that is not a GraphQL literal; the argument is optional anyway.
  private mutating func writeDefault(_ value: JSONValue) {
    if let literal = value.string, Document.isConstantValue(literal) {
      write(" = \(literal)")
      return
    }
    let json = value.string.map { (try? JSONDocument(parsing: Array($0.utf8)).root) ?? value } ?? value
    let literal = Self.literal(json, depth: 0) ?? StringEncoder.quoted(value.string ?? JSONWriter.compact(value))
    write(" =\n\(Schema.unreadableDefaultMark)\(literal)")
  }

  /// Returns the literal of a JSON value (`{first: 2}` for `{"first": 2}`); `nil` if one of its keys is not a name, or
  /// if it is nested too deeply.
  private static func literal(_ value: JSONValue, depth: Int) -> String? {
    guard depth < 32 else { return nil }
    switch value.kind {
    case .null, .bool, .number: return JSONWriter.compact(value)
    case .string: return value.string.map(StringEncoder.quoted)
    case .array:
      let elements = value.elements.map { literal($0, depth: depth + 1) }
      return elements.contains(nil) ? nil : "[\(elements.compactMap(\.self).joined(separator: ", "))]"
    case .object:
      let members = value.members.map { member in
        Document.isName(member.key) ? literal(member.value, depth: depth + 1).map { "\(member.key): \($0)" } : nil
      }
      return members.contains(nil) ? nil : "{\(members.compactMap(\.self).joined(separator: ", "))}"
    }
  }

  private mutating func writeReference(_ reference: JSONValue?, depth: Int = 0) throws(IntrospectionError) {
    guard let reference, reference.kind == .object, depth < 64 else {
      throw .malformed(path: path.joined(separator: ".") + ".type", expected: "a type reference")
    }
    switch reference["kind"]?.string {
    case "NON_NULL":
      try writeReference(reference["ofType"], depth: depth + 1)
      write("!")
    case "LIST":
      write("[")
      try writeReference(reference["ofType"], depth: depth + 1)
      write("]")
    default:
      write(try name(reference))
    }
  }

  private func names(_ list: JSONValue?) throws(IntrospectionError) -> [String] {
    var names: [String] = []
    for element in (list ?? .null).elements { names.append(try name(element)) }
    return names
  }

  private mutating func write(names: [String], first: String, _ separator: String) {
    if !names.isEmpty { write(first + names.joined(separator: separator)) }
  }

  private mutating func writeDescription(_ owner: JSONValue) {
    guard let description = owner["description"]?.string else { return }
    write(StringEncoder.description(description, indent: 0))
    write("\n")
  }

  private mutating func writeDeprecation(_ owner: JSONValue) {
    let reason = owner["deprecationReason"]?.string
    guard owner["isDeprecated"]?.bool == true || reason != nil else { return }
    write(" @deprecated")
    if let reason { write("(reason: \(StringEncoder.quoted(reason)))") }
  }

  private func name(_ owner: JSONValue) throws(IntrospectionError) -> String {
    guard let name = owner["name"]?.string else {
      throw .malformed(path: path.joined(separator: ".") + ".name", expected: "a string")
    }
    guard Document.isName(name) else { throw .badName(path: path.joined(separator: ".") + ".name", name: name) }
    return name
  }

  private mutating func write(_ string: String) { text.append(contentsOf: string.utf8) }
}
