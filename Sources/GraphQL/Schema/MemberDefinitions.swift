import ApusGraphQLLanguage

package struct FieldDefinition: Sendable, Hashable {
  package let schema: Schema
  package let index: UInt32
  let parentIndex: UInt32

  package init(schema: Schema, index: UInt32, parentIndex: UInt32) {
    self.schema = schema
    self.index = index
    self.parentIndex = parentIndex
  }

  var record: FieldRecord { schema.storage.fields[Int(index)] }

  package static func == (left: FieldDefinition, right: FieldDefinition) -> Bool {
    left.index == right.index && left.parentIndex == right.parentIndex && left.schema === right.schema
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(index)
    hasher.combine(parentIndex)
  }

  package var node: FieldDefinitionNode {
    FieldDefinitionNode(schema.storage.documents[Int(record.place.document)], record.place.node)
  }

  package var nameID: NameID { record.name }
  package var name: String { schema.storage.names[record.name] }
  package var description: String? { node.description }
  /// The type on which the field was looked up, also for `__typename`.
  package var parentType: TypeDefinition { TypeDefinition(schema: schema, index: parentIndex) }
  package var type: TypeReference { TypeReference(schema: schema, packed: record.type) }
  package var isDeprecated: Bool { record.isDeprecated }
  package var deprecationReason: String? { record.isDeprecated ? node.directives.deprecationReason : nil }

  package var arguments: [InputValueDefinition] {
    record.arguments.indices.map { InputValueDefinition(schema: schema, index: UInt32($0)) }
  }

  /// Arguments as a run of the schema's input values.
  package var argumentRun: MemberRun { record.arguments }

  package func argument(named name: String) -> InputValueDefinition? {
    schema.inputValue(named: name, in: record.arguments)
  }
}

/// An argument of a field or directive, or a field of an input object.
package struct InputValueDefinition: Sendable, Hashable {
  package let schema: Schema
  package let index: UInt32

  package init(schema: Schema, index: UInt32) {
    self.schema = schema
    self.index = index
  }

  var record: InputValueRecord { schema.storage.inputValues[Int(index)] }

  package static func == (left: InputValueDefinition, right: InputValueDefinition) -> Bool {
    left.index == right.index && left.schema === right.schema
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(index) }

  package var node: InputValueDefinitionNode {
    InputValueDefinitionNode(schema.storage.documents[Int(record.place.document)], record.place.node)
  }

  package var name: String { schema.storage.names[record.name] }
  package var description: String? { node.description }
  package var type: TypeReference { TypeReference(schema: schema, packed: record.type) }
  package var defaultValue: ValueNode? {
    record.defaultValue == 0
      ? nil : ValueNode(schema.storage.documents[Int(record.place.document)], record.defaultValue)
  }
  /// The source text of the default value.
  package var defaultValueText: String? { defaultValue?.text }
  package var isDeprecated: Bool { record.isDeprecated }
  package var deprecationReason: String? { record.isDeprecated ? node.directives.deprecationReason : nil }
  /// Whether a value is required: the type is non-null and there is no default value.
  package var isRequired: Bool { record.type.isNonNull && record.defaultValue == 0 }
}

package struct EnumValueDefinition: Sendable, Hashable {
  package let schema: Schema
  package let index: UInt32

  var record: EnumValueRecord { schema.storage.enumValues[Int(index)] }

  package static func == (left: EnumValueDefinition, right: EnumValueDefinition) -> Bool {
    left.index == right.index && left.schema === right.schema
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(index) }

  package var node: EnumValueDefinitionNode {
    EnumValueDefinitionNode(schema.storage.documents[Int(record.place.document)], record.place.node)
  }

  package var name: String { schema.storage.names[record.name] }
  package var description: String? { node.description }
  package var isDeprecated: Bool { record.isDeprecated }
  package var deprecationReason: String? { record.isDeprecated ? node.directives.deprecationReason : nil }
}

package struct DirectiveDefinition: Sendable, Hashable {
  package let schema: Schema
  package let index: UInt32

  package init(schema: Schema, index: UInt32) {
    self.schema = schema
    self.index = index
  }

  var record: DirectiveRecord { schema.storage.directives[Int(index)] }

  package static func == (left: DirectiveDefinition, right: DirectiveDefinition) -> Bool {
    left.index == right.index && left.schema === right.schema
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(index) }

  package var node: DirectiveDefinitionNode {
    DirectiveDefinitionNode(schema.storage.documents[Int(record.place.document)], record.place.node)
  }

  package var nameID: NameID { record.name }
  /// The name without `@`.
  package var name: String { schema.storage.names[record.name] }
  package var description: String? { node.description }
  package var isRepeatable: Bool { record.isRepeatable }
  /// Arguments as a run of the schema's input values.
  package var argumentRun: MemberRun { record.arguments }
  /// Whether the arguments are those of a fragment, which no definition lists.
  package var takesFragmentArguments: Bool { record.takesFragmentArguments }
  /// The deprecation reason of the directive (draft of the specification).
  package var deprecationReason: String? { node.directives.deprecationReason }
  /// Whether the directive is available although the schema does not declare it.
  package var isImplied: Bool { record.isImplied }
  /// Whether the specification defines the directive.
  package var isSpecified: Bool { BuiltInDefinitions.specifiedDirectives.contains(name) }
  package var locations: [DirectiveLocation] {
    DirectiveLocation.allCases.filter(record.allows)
  }

  package func allows(_ location: DirectiveLocation) -> Bool { record.allows(location) }

  package var arguments: [InputValueDefinition] {
    record.arguments.indices.map { InputValueDefinition(schema: schema, index: UInt32($0)) }
  }

  package func argument(named name: String) -> InputValueDefinition? {
    schema.inputValue(named: name, in: record.arguments)
  }
}

extension Schema {
  func inputValue(named name: String, in run: MemberRun) -> InputValueDefinition? {
    storage.names.find(name).flatMap { storage.inputValue(named: $0, in: run) }.map {
      InputValueDefinition(schema: self, index: UInt32($0))
    }
  }
}

extension [DirectiveNode] {
  /// The reason in `@deprecated`, or its default.
  var deprecationReason: String? {
    first { $0.name.hasValue("deprecated") }.map { directive in
      directive.argument(named: "reason").map(\.value.stringValue) ?? "No longer supported"
    }
  }
}
