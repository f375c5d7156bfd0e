import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Writes the selection API of a schema: phantom types, a method per field, enums and input objects.
struct SelectionAPIWriter {
  let scopes: SelectionScopes
  let settings: GenerationSettings
  let keyFields: KeyFields

  private var access: String { settings.access.rawValue }
  /// Names that methods and parameters must not have, because their bodies use them.
  private let taken: Set<String>
  /// The maximum number of types for which `on` has a form with a required branch for each.
  private static let maximumExhaustiveBranches = 24

  init(schema: Schema, settings: GenerationSettings) {
    self.settings = settings
    taken = SwiftName.spokenBySelections.union(settings.scalars.values)
    let types = SwiftTypes(schema: schema, scalars: settings.scalars)
    scopes = SelectionScopes(schema: schema, types: types, choice: settings.selections)
    keyFields = KeyFields(schema: schema, settings: settings)
  }

  /// Returns the file names without folder and extension, with their declarations. The names are unique in the module,
  /// because file names of a target must be.
  func sections() -> [FileSection] {
    let (enums, inputs) = scopes.reachableInputs()
    var sections: [FileSection] = []
    var main = SwiftWriter()
    writeNamespaces(&main)
    sections.append(FileSection(name: "SelectionSchema", pieces: [Piece(name: "", text: main.text)]))
    func add(
      _ name: String, _ types: [TypeDefinition], namesLibrary: Bool = true,
      _ write: (inout SwiftWriter, TypeDefinition) -> Void
    ) {
      guard !types.isEmpty else { return }
      let pieces = types.map { type in
        var writer = SwiftWriter()
        write(&writer, type)
        return Piece(name: type.name, text: writer.text, namesLibrary: namesLibrary)
      }
      sections.append(FileSection(name: "Selection\(name)", pieces: pieces))
    }
    let isRoot = { (type: TypeDefinition) in scopes.root(type) != nil }
    add("Operations", scopes.composites.filter(isRoot), writeScope)
    add("Objects", scopes.composites.filter { $0.kind == .object && !isRoot($0) }, writeScope)
    add("Interfaces", scopes.composites.filter { $0.kind == .interface }, writeScope)
    add("Unions", scopes.composites.filter { $0.kind == .union }, writeScope)
    add("Enums", enums, namesLibrary: settings.enumsNameLibrary, writeEnum)
    add("InputObjects", inputs, writeInputObject)
    return sections
  }

  private func writeNamespaces(_ writer: inout SwiftWriter) {
    for (name, meaning) in [
      ("Operations", "The root types of the schema."), ("Objects", "The object types of the schema."),
      ("Interfaces", "The interfaces of the schema."), ("Unions", "The unions of the schema."),
      ("Enums", "The enums of the schema."), ("InputObjects", "The input objects of the schema."),
    ] {
      writer.line("/// \(meaning)")
      writer.emptyBlock("\(access) enum \(name)")
      writer.gap()
    }
    writer.block("extension Selection where Value == Never, Scope == Never") { writer in
      for type in scopes.composites {
        let name = scopes.types.name(type.name)
        writer.line("\(access) typealias \(name)<Result> = Selection<Result, \(scopes.scope(type))>")
      }
    }
  }

  // MARK: Composite types

  private func writeScope(_ writer: inout SwiftWriter, _ type: TypeDefinition) {
    let conformance =
      scopes.root(type)
      ?? (type.kind == .interface ? "InterfaceScope" : type.kind == .union ? "UnionScope" : "ObjectScope")
    writer.block("extension \(scopes.namespace(type))") { writer in
      writer.documentation(type.description)
      writer.block("\(access) enum \(scopes.types.name(type.name)): \(conformance)") { writer in
        writer.line("\(access) static var typeName: String { \(SwiftLiteral.string(type.name)) }")
        if type.isAbstract {
          let names = type.possibleTypes.map(\.name).sorted().map(SwiftLiteral.string)
          writer.line("\(access) static var possibleTypes: [String] {")
          writer.indented { $0.list("[", names, "]") }
          writer.line("}")
        }
        if scopes.root(type) != nil, type != scopes.schema.queryType, let query = scopes.schema.queryType {
          writer.line("\(access) static var queryTypeName: String? { \(SwiftLiteral.string(query.name)) }")
        }
        if let keys = keyFields.fields(of: type) {
          writer.line("\(access) static var keyFields: [String] { \(SwiftLiteral.strings(keys)) }")
        }
      }
    }
    writer.gap()
    let fields = scopes.fields(of: type)
    let branches = type.isAbstract ? scopes.possibleTypes(of: type) : []
    guard !fields.isEmpty || !branches.isEmpty else { return }
    writer.block("extension Fields where Scope == \(scopes.scope(type))") { writer in
      for field in fields {
        writer.gap()
        writeField(&writer, field)
      }
      if !branches.isEmpty { writeBranches(&writer, branches) }
    }
  }

  /// Returns the name of a method, case or parameter for a field.
  private func member(_ name: String) -> String { SwiftName.member(taken.contains(name) ? name + "_" : name) }

  private func writeField(_ writer: inout SwiftWriter, _ field: FieldDefinition) {
    let arguments = field.arguments
    writer.documentation(field.description)
    writeParameters(&writer, arguments, isFirst: field.description?.isEmpty != false)
    writer.documentation(nil, deprecation: field.deprecationReason)
    var parameters: [String] = []
    var passed: [String] = []
    for argument in arguments {
      let name = SwiftName.member(argument.name)
      // A parameter must not hide a name that the body uses.
      let isTaken = argument.name == "selection" || argument.name == "self" || taken.contains(argument.name)
      let inner = isTaken ? "\(argument.name)_" : name
      let label = isTaken ? "\(name) \(inner)" : name
      let type = argument.type
      parameters.append(
        argument.isRequired
          ? "\(label): \(scopes.swift(type))" : "\(label): OptionalArgument<\(scopes.required(type))> = .absent()")
      passed.append(
        "Argument(\(SwiftLiteral.string(argument.name)), \(SwiftLiteral.string(type.description)), \(inner))")
    }
    let name = member(field.name)
    let head = "\(SwiftLiteral.string(field.name)), \(SwiftLiteral.string(field.type.description))"
    guard let definition = field.type.definition, definition.isComposite else {
      writer.list("\(access) func \(name)(", parameters, ") throws -> \(scopes.swift(field.type)) {")
      writer.indented { $0.list("try __leaf(", [head] + passed, ")") }
      writer.line("}")
      return
    }
    let scope = scopes.swift(field.type)
    parameters.append("_ selection: Selection<Value, \(scope)>")
    writer.list("\(access) func \(name)<Value>(", parameters, ") throws -> Value {")
    writer.indented { $0.list("try __object(", [head, "selection"] + passed, ")") }
    writer.line("}")
  }

  private func writeBranches(_ writer: inout SwiftWriter, _ branches: [TypeDefinition]) {
    var scope = NameScope(["otherwise"])
    let names = branches.map { SwiftName.member(scope.unique(SwiftName.lowercased(scopes.types.name($0.name)))) }
    let types = branches.map { "Selection<Value, \(scopes.scope($0))>" }
    let passed = names.map { "\($0).__branch" }
    if branches.count <= Self.maximumExhaustiveBranches {
      writer.gap()
      writer.line("/// Decodes the object with the branch for its type. Throws for a type that is not in this schema.")
      writer.list(
        "\(access) func on<Value>(", zip(names, types).map { "\($0): \($1)" }, ") throws -> Value {")
      writer.indented { $0.list("try __on([", passed, "])") }
      writer.line("}")
    }
    writer.gap()
    writer.line(
      "/// Decodes the object with the branch for its type, or returns `otherwise` if there is no branch for it.")
    writer.list(
      "\(access) func on<Value>(",
      zip(names, types).map { "\($0): \($1) = .__skipped" } + ["otherwise: @autoclosure () throws -> Value"],
      ") throws -> Value {")
    writer.indented { writer in
      writer.list("try __on([", passed, "], otherwise: try otherwise())")
    }
    writer.line("}")
  }

  // MARK: Enums and input objects

  private func writeEnum(_ writer: inout SwiftWriter, _ type: TypeDefinition) {
    let cases = EnumCases(type, taken: ["unrecognized"])
    let name = scopes.types.name(type.name)
    writer.block("extension Enums") { writer in
      writer.documentation(type.description)
      writer.block("\(access) enum \(name): EnumCodec") { writer in
        for value in cases.values {
          writer.documentation(value.definition.description, note: value.definition.deprecationReason)
          writer.line("case \(SwiftName.member(value.name))")
        }
        writer.line("/// A value that is not in this schema.")
        writer.line("case unrecognized(String)")
        writer.gap()
        writer.line("\(access) static var allCases: [\(name)] {")
        writer.indented { $0.list("[", cases.values.map { ".\(SwiftName.member($0.name))" }, "]") }
        writer.line("}")
        writer.gap()
        writer.block("\(access) init(rawValue: String)") { writer in
          writer.line("switch rawValue {")
          for value in cases.values {
            writer.line(
              "case \(SwiftLiteral.string(value.definition.name)): self = .\(SwiftName.member(value.name))")
          }
          writer.line("default: self = .unrecognized(rawValue)")
          writer.line("}")
        }
        writer.gap()
        writer.block("\(access) var rawValue: String") { writer in
          writer.line("switch self {")
          for value in cases.values {
            writer.line("case .\(SwiftName.member(value.name)): \(SwiftLiteral.string(value.definition.name))")
          }
          writer.line("case .unrecognized(let name): name")
          writer.line("}")
        }
      }
    }
  }

  private func writeInputObject(_ writer: inout SwiftWriter, _ type: TypeDefinition) {
    let name = scopes.types.name(type.name)
    writer.block("extension InputObjects") { writer in
      writer.documentation(type.description)
      if type.isOneOf {
        writer.block("\(access) indirect enum \(name): SelectionInputObject") { writer in writeOneOf(&writer, type) }
      } else {
        writer.block("\(access) struct \(name): SelectionInputObject") { writer in writeInputFields(&writer, type) }
      }
    }
  }

  private func writeOneOf(_ writer: inout SwiftWriter, _ type: TypeDefinition) {
    for field in type.inputFields {
      writer.documentation(field.description, note: field.deprecationReason)
      writer.line("case \(member(field.name))(\(scopes.required(field.type)))")
    }
    writer.gap()
    writer.block("\(access) var __data: InputData") { writer in
      writer.line("switch self {")
      for field in type.inputFields {
        writer.line(
          "case .\(member(field.name))(let value): InputData([\(SwiftLiteral.string(field.name)): value])")
      }
      writer.line("}")
    }
  }

  private func writeInputFields(_ writer: inout SwiftWriter, _ type: TypeDefinition) {
    writer.line("\(access) let __data: InputData")
    writer.gap()
    let fields = type.inputFields
    writeParameters(&writer, fields, isFirst: true)
    let parameters = fields.map { field in
      let name = member(field.name)
      return field.isRequired
        ? "\(name): \(scopes.swift(field.type))"
        : "\(name): OptionalArgument<\(scopes.required(field.type))> = .absent()"
    }
    writer.list("\(access) init(", parameters, ") {")
    writer.indented { writer in
      writer.list(
        "__data = InputData([",
        fields.isEmpty
          ? [":"] : fields.map { "\(SwiftLiteral.string($0.name)): \(member($0.name))" }, "])")
    }
    writer.line("}")
  }
}

extension SelectionAPIWriter {
  /// Writes the documentation of arguments or input fields.
  private func writeParameters(_ writer: inout SwiftWriter, _ values: [InputValueDefinition], isFirst: Bool) {
    let described = values.compactMap { value -> (name: String, text: String)? in
      let reason = value.deprecationReason.map { "**Deprecated**: \($0)" }
      let texts = [value.description, reason].compactMap { $0 }.filter { !$0.isEmpty }
      guard !texts.isEmpty else { return nil }
      return (value.name, SwiftComment.inline(texts.joined(separator: " ")))
    }
    guard !described.isEmpty else { return }
    if !isFirst { writer.line("///") }
    writer.line("/// - Parameters:")
    for (name, text) in described { writer.line("///   - ", name, ": ", text) }
  }
}

/// The cases of an enum, with unique Swift names.
struct EnumCases {
  let values: [(name: String, definition: EnumValueDefinition)]

  init(_ type: TypeDefinition, taken: Set<String>) {
    var scope = NameScope(taken.union(["self", "init", "rawValue", "allCases", "none", "some"]))
    values = type.enumValues.map { (scope.unique(SwiftName.enumCase($0.name)), $0) }
  }
}

/// The key fields of a type: those in the settings or in the schema's `@typePolicy`, or else the first candidate that
/// the type has.
struct KeyFields {
  private static let candidates = ["id", "_id", "nodeId"]
  let schema: Schema
  let settings: GenerationSettings

  /// Returns the key fields that the settings or the schema declare for the type.
  func declared(_ type: TypeDefinition) -> [String]? {
    if let fields = settings.keyFields[type.name] { return fields }
    // They are inserted into documents, so they must be valid names.
    return type.declaredKeyFields?.filter(Document.isName)
  }

  /// Returns the key fields of a type; nil if there are none.
  func fields(of type: TypeDefinition) -> [String]? {
    let fields = declared(type) ?? Self.candidates.first { isKey($0, of: type) }.map { [$0] } ?? []
    let keyFields = fields.filter { isKey($0, of: type) }
    return keyFields.isEmpty ? nil : keyFields
  }

  /// The rules as options for compiling operations.
  var compileOptions: CompileOptions {
    let declared = schema.types.compactMap { type in self.declared(type).map { (type.name, $0) } }
    return CompileOptions(
      addTypename: true, keyFields: Dictionary(declared) { first, _ in first }, keyCandidates: Self.candidates)
  }

  private func isKey(_ name: String, of type: TypeDefinition) -> Bool {
    guard type.kind != .union, let field = type.field(named: name), !field.type.isList else { return false }
    return field.type.definition?.isLeaf == true && !field.arguments.contains(where: \.isRequired)
  }
}
