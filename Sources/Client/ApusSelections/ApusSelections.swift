// What a program with type-safe selections imports: the selections, and of the client what goes with them. Not all of
// `ClientAPI`, whose `Selection` is the generated models' own.
@_exported import ClientCache
@_exported import ClientCore
@_exported import ClientNetwork
@_exported import ClientRequestChain
@_exported import ClientSelections
@_exported import JSON

import ClientAPI

public typealias CustomScalar = ClientAPI.CustomScalar
public typealias DeferredFragment = ClientAPI.DeferredFragment
public typealias DeferredState = ClientAPI.DeferredState
public typealias GraphQLError = ClientAPI.GraphQLError
public typealias GraphQLOperation = ClientAPI.GraphQLOperation
public typealias GraphQLResult = ClientAPI.GraphQLResult
public typealias ResponseData = ClientAPI.ResponseData
public typealias RequestContext = ClientAPI.RequestContext
