// Programs that process GraphQL without a client import ApusGraphQLTools, which exports documents, schemas and JSON.

@_exported public import ApusGraphQLAnalysis
@_exported public import ApusGraphQLLanguage
@_exported public import ApusGraphQLLanguageService
@_exported public import ApusGraphQLSchema
@_exported public import ApusJSON
