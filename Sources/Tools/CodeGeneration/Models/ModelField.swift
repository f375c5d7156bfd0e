import ApusGraphQLSchema

/// A property of a struct that reads a field. One of a leaf is the same wherever the field is shown by its own name, and
/// so are the pieces of source that it takes.
final class ModelField {
  let property: String
  let type: String
  let responseKey: String
  /// The response key as a literal.
  let key: String
  let isOptional: Bool
  /// The type where no condition leaves the field out.
  let unconditionalType: String
  var definition: FieldDefinition { documentation.definition }
  private let documentation: FieldDocumentation
  /// Whether several structs have this property.
  private let isShared: Bool
  /// The property as it is written at each indentation, where it is shared.
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

  /// The parameter of an initializer.
  private(set) lazy var parameter = "\(property): \(type)\(isOptional ? " = nil" : "")"
  /// The selection of the field where it is asked for by its own name and without arguments.
  private(set) lazy var selection = "field(\(key), \(selectedType))"

  /// The type as a selection names it. An ID is a `String` in Swift, so its scalar is told.
  private(set) lazy var selectedType =
    "\(unconditionalType).self\(definition.type.name == "ID" ? ", scalar: \"ID\"" : "")"

  /// Writes the property with its documentation.
  ///
  /// - Parameter access: The same for all structs of a generation.
  func write(to writer: inout SwiftWriter, access: String, isMutable: Bool) {
    guard isShared, !isMutable else { return write(to: &writer, access, isMutable) }
    while texts.count <= writer.indent { texts.append([]) }
    if texts[writer.indent].isEmpty {
      var own = SwiftWriter(indent: writer.indent)
      write(to: &own, access, isMutable)
      texts[writer.indent] = own.bytes
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

/// What a schema says of a field, as the comment that stands wherever the field is shown.
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
