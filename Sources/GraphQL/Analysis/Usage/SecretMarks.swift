import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusSecrets

/// The arguments and input fields that `@secret`, `@sensitive` or `@confidential` marks in a schema's SDL.
struct SecretMarks: Sendable {
  private static let directives: Set<String> = ["secret", "sensitive", "confidential"]

  let schema: Schema
  /// The indices of the marked arguments and input fields.
  private var marked: Set<UInt32> = []
  /// The names of the marked arguments and input fields, for documents whose fields the schema lacks.
  private var names: Set<String> = []
  /// The types with a marked argument, by the names of its field and of the argument.
  private var owners: [[String]: [TypeDefinition]] = [:]
  /// The fields of input objects that are marked or lead to a marked one.
  private(set) var inputObjects: [String: [String: SecretPlaces.Place]] = [:]

  /// Returns nil if the schema marks nothing.
  init?(_ schema: Schema) {
    self.schema = schema
    for index in schema.storage.inputValues.indices {
      let value = InputValueDefinition(schema: schema, index: UInt32(index))
      guard value.node.directives.contains(where: { Self.directives.contains($0.name.value) }) else { continue }
      marked.insert(value.index)
      names.insert(value.name)
    }
    if marked.isEmpty { return nil }
    for type in schema.types {
      for field in type.fields {
        for argument in field.arguments where marked.contains(argument.index) {
          owners[[field.name, argument.name], default: []].append(type)
        }
      }
    }
    addInputObjects()
  }

  /// Adds the input objects from which a marked field can be reached, beginning with those that have one.
  private mutating func addInputObjects() {
    var users: [String: [(type: String, field: String)]] = [:]
    var pending: [String] = []
    for type in schema.types where type.kind == .inputObject {
      for field in type.inputFields {
        users[field.type.name, default: []].append((type.name, field.name))
        guard marked.contains(field.index) else { continue }
        if inputObjects[type.name] == nil { pending.append(type.name) }
        inputObjects[type.name, default: [:]][field.name] = .init(isSecret: true, inputObject: nil)
      }
    }
    while let inner = pending.popLast() {
      for (type, field) in users[inner] ?? [] {
        if inputObjects[type] == nil { pending.append(type) }
        inputObjects[type, default: [:]][field, default: .init(isSecret: false, inputObject: nil)].inputObject = inner
      }
    }
  }

  // MARK: Places

  /// Whether an argument is marked: at the field of the selection's type, or at that of a type with a common possible type.
  func isMarked(_ name: String, of field: FieldDefinition) -> Bool {
    guard let argument = field.argument(named: name) else { return names.contains(name) }
    if marked.contains(argument.index) { return true }
    return owners[[field.name, name]]?.contains { schema.overlaps($0, field.parentType) } ?? false
  }

  func isMarked(_ name: String, of directive: DirectiveDefinition) -> Bool {
    directive.argument(named: name).map { marked.contains($0.index) } ?? names.contains(name)
  }

  /// Whether a name may be that of a marked place of a field, directive or input object that the schema lacks.
  func isMarked(unknown name: String) -> Bool { names.contains(name) }

  /// Whether a field of an input object is marked, and its type; the fields of scalars are not.
  func field(_ name: String, of type: String?) -> (isMarked: Bool, type: String?) {
    guard let type, let definition = schema.type(named: type) else { return (names.contains(name), nil) }
    guard definition.kind == .inputObject else { return (false, type) }
    guard let field = definition.inputField(named: name) else { return (names.contains(name), nil) }
    return (marked.contains(field.index), field.type.name)
  }
}

extension Schema {
  /// A function that finds the secret places of a document; nil if the schema marks none.
  package var secretPlaces: (@Sendable (String) -> SecretPlaces)? {
    guard let marks = SecretMarks(self) else { return nil }
    return { text in SecretPlaceSearch(marks).places(in: Document(parsing: text)) }
  }
}
