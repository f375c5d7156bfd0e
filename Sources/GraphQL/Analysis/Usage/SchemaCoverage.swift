import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The fields and arguments of a schema, with the operations that use each.
package struct SchemaCoverage: Sendable {
  /// A field, or an argument of one: `Bird.name`, `Query.birds(first:)`.
  package struct Member: Sendable {
    package let coordinate: SchemaCoordinate
    package let operations: [DocumentUsage.Operation]
    package let deprecationReason: String?
    package var arguments: [Member] = []

    package var isUsed: Bool { !operations.isEmpty }
  }

  /// An object or interface, with its declared fields.
  package struct TypeCoverage: Sendable {
    package let name: String
    package let fields: [Member]
  }

  /// The types in schema order.
  package let types: [TypeCoverage]

  package init(of documents: [Document], in schema: Schema) throws(TooManyUses) {
    let usage = try DocumentUsage(of: documents, in: schema)
    types = schema.types.filter { !$0.isBuiltIn && ($0.kind == .object || $0.kind == .interface) }.map { type in
      TypeCoverage(
        name: type.name,
        fields: type.fields.map { field in
          let coordinate = SchemaCoordinate.member(field.name, of: type.name)
          var member = Member(
            coordinate: coordinate, operations: usage.operations(using: coordinate),
            deprecationReason: field.deprecationReason)
          member.arguments = field.arguments.map { argument in
            let coordinate = SchemaCoordinate.argument(argument.name, field: field.name, type: type.name)
            return Member(
              coordinate: coordinate, operations: usage.operations(using: coordinate),
              deprecationReason: argument.deprecationReason)
          }
          return member
        })
    }
  }

  package var fields: [Member] { types.flatMap(\.fields) }
  package var arguments: [Member] { fields.flatMap(\.arguments) }
  /// The unused fields, and the unused arguments of used fields.
  package var unused: [Member] {
    fields.flatMap { field in field.isUsed ? field.arguments.filter { !$0.isUsed } : [field] }
  }
  package var deprecatedInUse: [Member] {
    (fields + arguments).filter { $0.isUsed && $0.deprecationReason != nil }
  }
}
