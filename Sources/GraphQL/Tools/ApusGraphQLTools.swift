// A program with tools for GraphQL writes `import ApusGraphQLTools` and has documents, schemas and JSON; no client.

@_exported public import ApusGraphQLLanguage
@_exported public import ApusGraphQLSchema
@_exported public import ApusJSON
