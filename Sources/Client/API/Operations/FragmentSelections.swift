import ApusClientOperation
import ApusJSON

/// The selections of a named fragment for reading and writing a cache record. Never sent.
package struct FragmentSelections<Model: Fragment>: GraphQLOperation {
  package let variables: JSONValue

  package init(_ model: Model.Type, variables: JSONValue) { self.variables = variables }

  package var compiled: CompiledOperation { CompiledModelCache.fragment(Model.self) }

  package func makeData(from response: ResponseData) -> Model {
    Model(_dataDict: DataDict(response, plan: response.plan(of: self)))
  }
}
