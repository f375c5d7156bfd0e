import ApusGraphQLLanguage

package struct TypeDefinition: Sendable, Hashable {
  package let schema: Schema
  package let index: UInt32

  package init(schema: Schema, index: UInt32) {
    self.schema = schema
    self.index = index
  }

  var record: TypeRecord { schema.storage.types[Int(index)] }

  package static func == (left: TypeDefinition, right: TypeDefinition) -> Bool {
    left.index == right.index && left.schema === right.schema
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(index) }

  package var kind: TypeKind { record.kind }
  package var nameID: NameID { record.name }
  package var name: String { schema.storage.names[record.name] }
  package var isBuiltIn: Bool { record.isBuiltIn }
  package var isOneOf: Bool { record.isOneOf }

  /// Syntax nodes of the definition and its extensions.
  package var nodes: [TypeDefinitionNode] {
    let parts = schema.storage.parts[record.parts.indices]
    return parts.lazy.filter { isBuiltIn || !schema.storage.isFromDialect($0) }.map {
      TypeDefinitionNode(schema.storage.documents[Int($0.document)], $0.node)
    }
  }

  package var description: String? { nodes.lazy.compactMap(\.description).first }

  package var specifiedByURL: String? {
    for node in nodes {
      for directive in node.directives where directive.name.hasValue("specifiedBy") {
        if let url = directive.argument(named: "url") { return url.value.stringValue }
      }
    }
    return nil
  }

  // MARK: Members

  /// Declared fields, without those added by a dialect.
  package var fields: [FieldDefinition] {
    let all = record.fields.indices.lazy.map { FieldDefinition(schema: schema, index: UInt32($0), parentIndex: index) }
    return schema.dialects.isEmpty ? Array(all) : all.filter { !schema.storage.isFromDialect($0.record.place) }
  }

  /// Returns a declared field, or a meta-field of all composite types or of the query root.
  package func field(named name: String) -> FieldDefinition? {
    schema.storage.names.find(name).flatMap { field(named: $0) }
  }

  /// Returns a declared field, which excludes meta-fields.
  package func declaredField(named name: NameID) -> FieldDefinition? {
    schema.fieldIndex(of: index, named: name).map {
      FieldDefinition(schema: schema, index: UInt32($0), parentIndex: index)
    }
  }

  package func field(named name: NameID) -> FieldDefinition? {
    let storage = schema.storage
    if let found = declaredField(named: name) { return found }
    for meta in [storage.typenameField, storage.schemaField, storage.typeField]
    where storage.fields[meta].name == name {
      let isKnown = meta == storage.typenameField ? isComposite : storage.rootTypes[0] == index
      return isKnown ? FieldDefinition(schema: schema, index: UInt32(meta), parentIndex: index) : nil
    }
    if let meta = storage.clientField, storage.fields[meta].name == name, isComposite {
      return FieldDefinition(schema: schema, index: UInt32(meta), parentIndex: index)
    }
    return nil
  }

  /// Interfaces that an object or interface implements.
  package var interfaces: [TypeDefinition] {
    switch kind {
    case .object, .interface:
      schema.storage.typeLists[record.related.indices].map { TypeDefinition(schema: schema, index: $0) }
    case .scalar, .union, .enum, .inputObject: []
    }
  }

  package var possibleTypes: [TypeDefinition] { schema.possibleTypes(of: self) }

  package var enumValues: [EnumValueDefinition] {
    record.enumValues.indices.map { EnumValueDefinition(schema: schema, index: UInt32($0)) }
  }

  package func enumValue(named name: String) -> EnumValueDefinition? {
    guard let name = schema.storage.names.find(name) else { return nil }
    return schema.storage.enumValue(named: name, in: record.enumValues).map {
      EnumValueDefinition(schema: schema, index: UInt32($0))
    }
  }

  package var inputFields: [InputValueDefinition] {
    record.inputFields.indices.map { InputValueDefinition(schema: schema, index: UInt32($0)) }
  }

  package func inputField(named name: String) -> InputValueDefinition? {
    schema.inputValue(named: name, in: record.inputFields)
  }

  // MARK: Categories of types

  package var isLeaf: Bool { kind == .scalar || kind == .enum }
  package var isComposite: Bool { kind == .object || kind == .interface || kind == .union }
  package var isAbstract: Bool { kind == .interface || kind == .union }
  /// Whether the type can be used for input values (GraphQL specification, section 3.4.2).
  package var isInput: Bool { isLeaf || kind == .inputObject }
  /// Whether the type can be used for fields (GraphQL specification, section 3.4.2).
  package var isOutput: Bool { kind != .inputObject }
}

extension TypeDefinition {
  /// Whether every value of this type is a value of the other type: it is the same type, an interface that this type
  /// implements, or a union that contains it.
  package func isSubtype(of other: TypeDefinition) -> Bool {
    if self == other { return true }
    switch other.kind {
    case .interface:
      return kind == .object
        ? schema.isPossibleType(self, of: other)
        : kind == .interface && schema.storage.typeLists[record.related.indices].contains(other.index)
    case .union: return kind == .object && schema.isPossibleType(self, of: other)
    case .scalar, .object, .enum, .inputObject: return false
    }
  }
}
