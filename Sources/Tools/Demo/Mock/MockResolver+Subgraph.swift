import ApusGraphQLExecution
import ApusGraphQLSchema
import ApusJSON

// The fields that Apollo Federation adds to a subgraph (Apollo Federation subgraph specification).

extension MockResolver {
  /// Returns the value of a field that federation defines; nil for other fields.
  func subgraphValue(_ request: FieldRequest) -> ResolvedValue? {
    if request.object.type == "_Service", request.field.name == "sdl" { return .string(subgraphSDL) }
    guard request.isRoot, request.field.name == "_entities", request.field.type.name == "_Entity" else { return nil }
    guard let representations = request.arguments["representations"] else { return .list([]) }
    return .list(representations.elements.map(entity))
  }

  /// The subgraph's own definitions, with their federation directives, as they were written.
  private var subgraphSDL: String {
    let written = schema.documents.filter { $0.source.name != Schema.introspectionSource }
    guard !written.isEmpty else { return schema.printSDL() }
    return written.map { String(decoding: $0.source.bytes, as: UTF8.self) }.joined(separator: "\n")
  }

  /// Returns the object of a representation, with its leaf values; null if the type is not an object type of the schema.
  private func entity(_ representation: JSONValue) -> ResolvedValue {
    guard let type = representation["__typename"]?.string.flatMap(schema.type(named:)), type.kind == .object else {
      return .null
    }
    let key = representation["id"]?.string ?? representation.description
    let object = MockObject(type: type.name, key: key)
    memory.remember(leafValues(representation, of: type), of: object)
    return resolved(object)
  }
}
