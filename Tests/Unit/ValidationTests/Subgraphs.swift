/// Subgraphs of a shop in various styles, written for the tests.
enum Subgraphs {
  /// Version 2 with a custom directive, a renamed import and a query type of another name.
  static let products = """
    extend schema
      @link(url: "https://specs.apollo.dev/link/v1.0")
      @link(
        url: "https://specs.apollo.dev/federation/v2.9"
        import: [
          "@key", "@shareable", "@tag", "@inaccessible", "@composeDirective", "@interfaceObject", "@authenticated"
          "@requiresScopes", "@policy", "@cost", "@listSize", "FieldSet", { name: "@override", as: "@moved" }
        ]
      )
      @link(url: "https://shop.example/audit/v1.0", import: ["@audited"])
      @composeDirective(name: "@audited")

    schema { query: Catalog }

    directive @audited(by: String!) on FIELD_DEFINITION

    type Catalog {
      product(upc: String!): Product
      products(first: Int): [Product!]! @listSize(slicingArguments: ["first"])
      media(id: ID!): Media
    }

    interface Priced { price: Money @tag(name: "public") }

    type Product implements Priced @key(fields: "upc") @key(fields: "sku brand { code }") @tag(name: "public") {
      upc: String!
      sku: String!
      brand: Brand!
      name: String @shareable
      price: Money @moved(from: "legacy")
      cost: Money @inaccessible @audited(by: "finance") @requiresScopes(scopes: [["cost:read"], ["admin"]])
      margin: Float @policy(policies: [["finance"]]) @cost(weight: 5)
    }

    type Brand @shareable { code: String! name: String }
    type Money @shareable { amount: Int! currency: Currency! @authenticated }
    enum Currency { EUR USD XTS @inaccessible }
    type Media @interfaceObject @key(fields: "id") { id: ID! rating: Int }
    """

  /// Version 2, with extensions of types of other subgraphs.
  static let reviews = """
    extend schema
      @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@external", "@provides", "@requires"])

    extend type Query { topReviews(first: Int = 5): [Review!]! }

    type Review @key(fields: "id") {
      id: ID!
      body: String
      author: User @provides(fields: "name")
      product: Product
    }

    extend type Product @key(fields: "upc") {
      upc: String! @external
      dimensions: Dimensions @external
      reviews: [Review!]!
      packaging: String @requires(fields: "dimensions { weight ...on Dimensions { size(unit: \\"cm\\") } }")
    }

    type Dimensions @federation__shareable { weight: Int size(unit: String): Int }

    type User @key(fields: "id", resolvable: false) { id: ID! name: String @external }
    """

  /// Version 2.8 with a context, 2.12 with cache tags, and connectors to another service.
  static let shipping = #"""
    extend schema
      @link(
        url: "https://specs.apollo.dev/federation/v2.12"
        import: ["@key", "@context", "@fromContext", "@external", "@cacheTag"]
      )
      @link(url: "https://specs.apollo.dev/connect/v0.2", import: ["@connect", "@source"])
      @source(name: "depot", http: { baseURL: "https://depot.example", headers: [{ name: "x-key", from: "key" }] })

    type Query {
      depots: [Depot!]! @connect(source: "depot", http: { GET: "/depots" }, selection: "id city") @cacheTag(format: "all")
    }

    type Depot @key(fields: "id") { id: ID! city: String }

    type Order @key(fields: "id") @context(name: "order") { id: ID! country: String @external parcels: [Parcel!]! }

    type Parcel @key(fields: "id") {
      id: ID!
      duty(country: String @fromContext(field: "$order { country }")): Int
    }
    """#

  /// Version 1: no link, no definitions.
  static let accounts = """
    extend type Query { me: User }
    extend type Mutation { rename(name: String!): User }
    extend type Subscription { renamed: User }

    type User @key(fields: "id") @key(fields: "email organization { id }") {
      id: ID!
      name: String
      email: String!
      organization: Organization!
    }

    type Organization @extends @key(fields: "id") { id: ID! @external users: [User!]! }

    extend interface Actor @key(fields: "id") { id: ID! @external friends: [User!]! }

    extend type Product @key(fields: upc) {
      upc: String! @external
      weight: Int @external
      postage: Int @requires(fields: "weight")
      seller: Seller @provides(fields: "name")
    }

    type Seller @key(fields: "id") { id: ID! name: String @external }
    """

  /// Version 1 without a query type, with the definitions that some libraries print.
  static let stocks = """
    directive @key(fields: String!) repeatable on OBJECT | INTERFACE
    directive @external on FIELD_DEFINITION

    extend type Product @key(fields: "upc") { upc: String! @external inStock: Boolean }
    """
}
