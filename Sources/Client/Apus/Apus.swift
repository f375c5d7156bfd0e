// The umbrella module of the client, for applications and the models generated for them.

@_exported public import ApusClientAPI
@_exported public import ApusClientCache
@_exported public import ApusClientCore
@_exported public import ApusClientFormats
@_exported public import ApusClientNetwork
@_exported public import ApusClientOperation
@_exported public import ApusClientPagination
@_exported public import ApusClientRequestChain
@_exported public import ApusClientSubscriptions
@_exported public import ApusGraphQLLanguage
@_exported public import ApusGraphQLMediaTypes
@_exported public import ApusGraphQLSchema
@_exported public import ApusJSON
