import ApusClientOperation
import ApusJSON

/// A named fragment's selections as a cache reads and writes them on one record; never sent.
package struct FragmentSelections<Model: Fragment>: GraphQLOperation {
  package let variables: JSONValue

  package init(_ model: Model.Type, variables: JSONValue) { self.variables = variables }

  package var compiled: CompiledOperation { LoweredModels.fragment(Model.self) }

  package func makeData(from response: ResponseData) -> Model {
    Model(_dataDict: DataDict(response, plan: response.plan(of: self)))
  }
}
