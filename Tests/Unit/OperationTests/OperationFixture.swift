import ApusClientOperation
import ApusClientResultExecution
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import Testing

/// The schema of these tests.
let birds = Schema.load(
  sdl: """
    interface Node { id: ID! }
    type Query {
      bird(id: ID!): Bird
      birds(first: Int = 10, filter: Filter, sort: [Sort!]): [Bird!]!
      node(id: ID!): Node
      search(text: String): [Found!]
      count(weight: Float): Int!
      station: Station
    }
    type Mutation { ring(id: ID!): Bird }
    union Found = Bird | Station
    enum Sort { NAME AGE }
    input Filter { ids: [ID!] near: Near minimum: Float = 1 }
    input Near { latitude: Float! longitude: Float! }
    scalar Date
    type Bird implements Node {
      id: ID! name: String! age: Int weight: Float ringed: Boolean! seen: Date sort: Sort
      mate: Bird friends: [Bird!]! flights: [[Int!]]
    }
    type Station { nodeId: ID! name: String! birds: [Bird] }
    """)

func compile(
  _ text: String, operation: String? = nil, schema: Schema? = birds, added: Bool = false
) throws -> CompiledOperation {
  try CompiledOperation.compile(
    Document(parsing: text), operationName: operation, schema: schema, options: CompileOptions(addTypename: added))
}

func plan(_ text: String, variables: String = "{}", schema: Schema? = birds, added: Bool = false) throws
  -> SelectionPlan
{
  SelectionPlan(operation: try compile(text, schema: schema, added: added), variables: try json(variables))
}

/// Returns the cache key of the first field of an operation.
func key(_ text: String, variables: String = "{}", schema: Schema? = birds) throws -> String {
  let plan = try plan(text, variables: variables, schema: schema)
  return try #require(plan.root.fields(for: nil).fields.first).argumentsKey
}

func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: text).root }
