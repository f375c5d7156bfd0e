import ApusGraphQLSchema

/// A property that reads a field. Leaf properties without an alias are shared between structs, together with their
/// source text.
final class ModelField {
  let property: String
  let type: String
  let responseKey: String
  /// The response key as a string literal: `"name"`, with its quotes.
  let key: String
  let isOptional: Bool
  /// The type if no condition excludes the field.
  let unconditionalType: String
  var definition: FieldDefinition { documentation.definition }
  private let documentation: FieldDocumentation
  /// Whether several structs have this property.
  private let isShared: Bool
  /// The source text of a shared property by indentation.
  private var texts: [[UInt8]] = []

  init(
    responseKey: String, property: String, type: String, isConditional: Bool, documentation: FieldDocumentation,
    isShared: Bool = false
  ) {
    self.property = property
    self.responseKey = responseKey
    unconditionalType = type
    self.type = isConditional && type.utf8.last != UInt8(ascii: "?") ? type + "?" : type
    self.documentation = documentation
    self.isShared = isShared
    key = SwiftLiteral.string(responseKey)
    isOptional = self.type.utf8.last == UInt8(ascii: "?")
  }

  /// The parameter in an initializer: `nest: Nest? = nil`.
  private(set) lazy var parameter = "\(property): \(type)\(isOptional ? " = nil" : "")"
  /// The selection of the field without alias and arguments: `field("name", String.self)`.
  private(set) lazy var selection = "field(\(key), \(selectedType))"

  /// The type in a selection. An ID is a `String` in Swift, so its scalar is added.
  private(set) lazy var selectedType =
    "\(unconditionalType).self\(definition.type.name == "ID" ? ", scalar: \"ID\"" : "")"

  /// Writes the property with its documentation.
  ///
  /// - Parameter access: The access level, which must be the same in all calls.
  func write(to writer: inout SwiftWriter, access: String, isMutable: Bool) {
    guard isShared, !isMutable else { return write(to: &writer, access, isMutable) }
    while texts.count <= writer.indent { texts.append([]) }
    if texts[writer.indent].isEmpty {
      var local = SwiftWriter(indent: writer.indent)
      write(to: &local, access, isMutable)
      texts[writer.indent] = local.bytes
    }
    writer.lines(texts[writer.indent])
  }

  private func write(to writer: inout SwiftWriter, _ access: String, _ isMutable: Bool) {
    documentation.write(to: &writer)
    let head = "\(access) var \(property): \(type)"
    guard isMutable else { return writer.line(head, " { __data[", key, "] }") }
    writer.block(head) { writer in
      writer.line("get { __data[\(key)] }")
      writer.line("set { __data[\(key)] = newValue }")
    }
  }
}

/// The documentation of a field from the schema.
final class FieldDocumentation {
  let definition: FieldDefinition
  private lazy var comment = definition.description.map(SwiftComment.init)
  private lazy var deprecation = definition.deprecationReason

  init(_ definition: FieldDefinition) { self.definition = definition }

  func write(to writer: inout SwiftWriter) {
    if let comment { writer.comment(comment) }
    writer.documentation(nil, deprecation: deprecation)
  }
}
