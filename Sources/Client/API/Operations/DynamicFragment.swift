import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON

/// A named fragment from text, for reading and writing cache records as JSON.
///
///     let card = try DynamicFragment(text: "fragment Card on User { id name }")
public struct DynamicFragment: Sendable {
  /// The compiled selections.
  package let compiled: CompiledOperation
  /// The variables in the selections, as a JSON object.
  public let variables: JSONValue

  /// - Parameters:
  /// - text: A document with the fragment and the fragments that it spreads.
  /// - name: The name of the fragment, if the document has several.
  /// - variables: The variables in the selections, as a JSON object.
  /// - schema: The source of possible types and of argument defaults, which are part of field keys.
  /// - Throws: `CompileError` with a location and the reason.
  public init(text: String, name: String? = nil, variables: JSONValue = .object([]), schema: GraphQLSchema? = nil)
    throws(CompileError)
  {
    compiled = try CompiledOperation.compile(fragment: name, of: Document(parsing: text), schema: schema?.schema)
    self.variables = variables
  }
}
