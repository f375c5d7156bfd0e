// What a program with type-safe selections imports: the selections, and of the client what goes with them. Not all of
// `ApusClientAPI`, whose `Selection` is the generated models' own.
@_exported import ApusClientCache
@_exported import ApusClientCore
@_exported import ApusClientNetwork
@_exported import ApusClientRequestChain
@_exported import ApusClientSelections
@_exported import ApusJSON

import ApusClientAPI

public typealias CustomScalar = ApusClientAPI.CustomScalar
public typealias DeferredFragment = ApusClientAPI.DeferredFragment
public typealias DeferredState = ApusClientAPI.DeferredState
public typealias GraphQLError = ApusClientAPI.GraphQLError
public typealias GraphQLOperation = ApusClientAPI.GraphQLOperation
public typealias GraphQLResult = ApusClientAPI.GraphQLResult
public typealias ResponseData = ApusClientAPI.ResponseData
public typealias RequestContext = ApusClientAPI.RequestContext
