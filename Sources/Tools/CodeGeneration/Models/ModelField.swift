import GraphQLSchema

/// A property of a struct that reads a field. One of a leaf is the same wherever the field is shown by its own name, and
/// so are the pieces of source that it takes.
final class ModelField {
  let property: String
  let type: String
  /// The response key as a literal.
  let key: String
  let isOptional: Bool
  var definition: FieldDefinition { documentation.definition }
  private let documentation: FieldDocumentation
  /// The property, by access and indentation.
  private var texts: [TextKey: String] = [:]

  private struct TextKey: Hashable {
    let access: String
    let isMutable: Bool
    let indent: Int
  }

  init(responseKey: String, property: String, type: String, documentation: FieldDocumentation) {
    self.property = property
    self.type = type
    self.documentation = documentation
    key = SwiftLiteral.string(responseKey)
    isOptional = type.utf8.last == UInt8(ascii: "?")
  }

  /// The parameter of an initializer.
  private(set) lazy var parameter = "\(property): \(type)\(isOptional ? " = nil" : "")"
  /// The element of an initializer's dictionary.
  private(set) lazy var entry = "\(key): \(property)"

  /// Writes the property with its documentation.
  func write(to writer: inout SwiftWriter, access: String, isMutable: Bool) {
    let key = TextKey(access: access, isMutable: isMutable, indent: writer.indent)
    if let text = texts[key] { return writer.lines(text) }
    var own = SwiftWriter(indent: writer.indent)
    write(to: &own, access, isMutable)
    texts[key] = own.text
    writer.lines(own.text)
  }

  private func write(to writer: inout SwiftWriter, _ access: String, _ isMutable: Bool) {
    documentation.write(to: &writer)
    let head = "\(access) var \(property): \(type)"
    guard isMutable else { return writer.line("\(head) { __data[\(key)] }") }
    writer.block(head) { writer in
      writer.line("get { __data[\(key)] }")
      writer.line("set { __data[\(key)] = newValue }")
    }
  }
}

/// What a schema says of a field, as the comment that stands wherever the field is shown.
final class FieldDocumentation {
  let definition: FieldDefinition
  /// By indentation.
  private var texts: [Int: String] = [:]

  init(_ definition: FieldDefinition) { self.definition = definition }

  func write(to writer: inout SwiftWriter) {
    if let text = texts[writer.indent] { return writer.lines(text) }
    var own = SwiftWriter(indent: writer.indent)
    own.documentation(definition.description, deprecation: definition.deprecationReason)
    texts[writer.indent] = own.text
    writer.lines(own.text)
  }
}
