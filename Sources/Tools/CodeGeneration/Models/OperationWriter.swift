import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Writes operations, local cache mutations and named fragments with their models.
struct OperationWriter {
  let document: Document
  let schema: Schema
  let names: ModelNames
  let settings: GenerationSettings
  private let models: ModelWriter
  /// The texts of fragments, which many operations need.
  private let fragmentTexts: [NodeID: String]
  private var access: String { settings.access.rawValue }

  init(document: Document, schema: Schema, names: ModelNames, settings: GenerationSettings) {
    self.document = document
    self.schema = schema
    self.names = names
    self.settings = settings
    models = ModelWriter(names: names, access: settings.access.rawValue)
    fragmentTexts = Dictionary(
      uniqueKeysWithValues: document.fragments.map { fragment in
        (fragment.id, DefinitionText.text(fragment.erased, fragment.directives, minified: settings.minifiesDocuments))
      })
  }

  // MARK: Fragments

  func fragment(_ node: FragmentDefinitionNode, _ model: ModelStruct) -> String {
    var writer = SwiftWriter()
    writer.documentation(node.description ?? "A fragment on `\(model.parentType.name)`.")
    models.write(model, to: &writer) { writer in
      writer.line("\(access) static let fragmentName = \(SwiftLiteral.string(node.name.value))")
      writer.line("\(access) static let fragmentDefinition =")
      writer.indented { writer in writeText(fragmentTexts[node.id] ?? "", &writer, tail: "") }
      writer.gap()
    }
    return writer.text
  }

  // MARK: Operations

  func operation(_ node: OperationDefinitionNode, _ data: ModelStruct, fragments: [FragmentDefinitionNode]) -> String {
    let isLocal = node.directives.isLocalCacheMutation
    let name = node.name?.value ?? ""
    let kind = node.operation.rawValue.prefix(1).uppercased() + node.operation.rawValue.dropFirst()
    var writer = SwiftWriter()
    writer.documentation(node.description)
    writer.block(
      "\(access) struct \(names.operation(name)): \(isLocal ? "LocalCacheMutation" : "GraphQL\(kind)")"
    ) { writer in
      if isLocal {
        if node.operation != .query {
          writer.line(
            "\(access) static var operationType: CompiledOperation.OperationType { .\(node.operation.rawValue) }")
        }
      } else {
        writer.line("\(access) static let operationName = \(SwiftLiteral.string(name))")
        writeDocument(node, fragments, &writer)
      }
      writeVariables(node, &writer)
      writer.gap()
      models.write(data, to: &writer)
    }
    return writer.text
  }

  private func writeDocument(
    _ node: OperationDefinitionNode, _ fragments: [FragmentDefinitionNode], _ writer: inout SwiftWriter
  ) {
    let operationText = DefinitionText.text(node.erased, node.directives, minified: settings.minifiesDocuments)
    let completeText = ([operationText] + fragments.map { fragmentTexts[$0.id] ?? "" }).joined(separator: "\n")
    writer.line("\(access) static let operationDocument = OperationDocument(")
    writer.indented { writer in
      writer.line("definition: .init(")
      writer.indented { writer in
        writeText(operationText, &writer, tail: fragments.isEmpty ? ")," : ",")
        if !fragments.isEmpty {
          writer.list("fragments: [", fragments.map { "\(names.fragment($0.name.value)).self" }, "]),")
        }
      }
      writer.line("operationIdentifier: \"\(SHA256.hexadecimal(completeText))\")")
    }
  }

  private func writeText(_ text: String, _ writer: inout SwiftWriter, tail: String) {
    guard let signs = SwiftLiteral.signs(around: text) else { return writer.line(SwiftLiteral.string(text), tail) }
    writer.line("\(signs)\"\"\"")
    writer.lines(of: text)
    writer.line("\"\"\"\(signs)\(tail)")
  }

  private func writeVariables(_ node: OperationDefinitionNode, _ writer: inout SwiftWriter) {
    let definitions = node.variableDefinitions
    guard !definitions.isEmpty else {
      // The implicit initializer of Swift is internal.
      if settings.access != .internal {
        writer.gap()
        writer.line("\(access) init() {}")
      }
      return
    }
    let defaults = definitions.compactMap { definition in
      definition.defaultValue.map {
        "\(SwiftLiteral.string(definition.variable.name.value)): \(InputLiteral.value($0)) as JSONValue"
      }
    }
    if !defaults.isEmpty {
      writer.list("\(access) static let __variableDefaults: InputDict = [", defaults, "]")
    }
    var scope = NameScope(["compiled", "variables", "makeData", "self"], within: names.takenMembers)
    let variables = definitions.map { definition in
      let name = definition.variable.name.value
      let declared = definition.type
      let hasDefault = definition.defaultValue != nil
      return (
        name: name, property: SwiftName.member(scope.unique(name)), type: type(declared, hasDefault: hasDefault),
        isRequired: declared.isNonNull && !hasDefault
      )
    }
    writer.gap()
    for variable in variables { writer.line("\(access) var ", variable.property, ": ", variable.type) }
    writer.gap()
    writer.list(
      "\(access) init(",
      variables.map { "\($0.property): \($0.type)\($0.isRequired ? "" : " = nil")" }, ") {")
    writer.indented { writer in
      for variable in variables { writer.line("self.", variable.property, " = ", variable.property) }
    }
    writer.line("}")
    writer.gap()
    writer.block("\(access) var __variables: InputDict") { writer in
      writer.list("[", variables.map { "\(SwiftLiteral.string($0.name)): \($0.property)" }, "]")
    }
  }

  private func type(_ node: TypeNode, hasDefault: Bool) -> String {
    func wrapped(_ node: TypeNode) -> String {
      node.isNonNull ? bare(node.ofType ?? node) : bare(node) + "?"
    }
    func bare(_ node: TypeNode) -> String {
      if node.kind == .list, let element = node.ofType { return "[\(wrapped(element))]" }
      return schema.type(named: node.name).map { names.output($0.reference) } ?? "JSONValue"
    }
    if node.isNonNull, !hasDefault { return wrapped(node) }
    return "GraphQLNullable<\(bare(node.isNonNull ? node.ofType ?? node : node))>"
  }
}

extension [DirectiveNode] {
  var isLocalCacheMutation: Bool {
    contains { directive in DocumentSource.localCacheMutations.contains { directive.name.hasValue($0) } }
  }
}
