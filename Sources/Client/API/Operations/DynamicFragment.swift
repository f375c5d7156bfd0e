import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON

/// A named fragment that is known as text: what is read with it from a record of a cache, and written into one, is JSON.
///
///     let card = try DynamicFragment(text: "fragment Card on User { id name }")
public struct DynamicFragment: Sendable {
  /// Its selections, as the cache walks along them.
  package let compiled: CompiledOperation
  /// An object with the variables that its selections name; an empty one when they name none.
  public let variables: JSONValue

  /// - Parameters:
  ///   - text: A document with the fragment, and with those that it spreads.
  ///   - name: Which of its fragments is meant; it may be left out where there is one.
  ///   - variables: An object with the variables that its selections name.
  ///   - schema: Tells which types the fragment is on, and the defaults of arguments, which are part of keys.
  /// - Throws: `CompileError`, with the place in the text and the reason.
  public init(text: String, name: String? = nil, variables: JSONValue = .object([]), schema: GraphQLSchema? = nil)
    throws(CompileError)
  {
    compiled = try CompiledOperation.compile(fragment: name, of: Document(parsing: text), schema: schema?.schema)
    self.variables = variables
  }
}
