// An application, and the models generated for it, write `import Apus` and have the client's modules.

@_exported public import ClientAPI
@_exported public import ClientCache
@_exported public import ClientCore
@_exported public import ClientFormats
@_exported public import ClientNetwork
@_exported public import ClientOperation
@_exported public import ClientPagination
@_exported public import ClientRequestChain
@_exported public import ClientSubscriptions
@_exported public import JSON
