// What a program with type-safe selections imports: the selections, and of the client what goes with them. Not all of
// `ApusClientAPI`, whose `Selection` is the generated models' own.
@_exported import ApusClientCache
@_exported import ApusClientCore
@_exported import ApusClientNetwork
@_exported import ApusClientRequestChain
@_exported import ApusClientSelections
@_exported import ApusJSON

import ApusClientAPI

/// A scalar of the application's own, such as a date.
public typealias CustomScalar = ApusClientAPI.CustomScalar
/// One instance of a deferred fragment with its state, as `GraphQLResult.fragments` lists them.
public typealias DeferredFragment = ApusClientAPI.DeferredFragment
/// What became of a deferred fragment.
public typealias DeferredState = ApusClientAPI.DeferredState
/// An error that the server reported in a response (GraphQL specification, section 7.1.2).
public typealias GraphQLError = ApusClientAPI.GraphQLError
/// An operation that a client can run; a `SelectionOperation` is one.
public typealias GraphQLOperation = ApusClientAPI.GraphQLOperation
/// One result of an operation: its data so far, errors, and what is still to come.
public typealias GraphQLResult = ApusClientAPI.GraphQLResult
/// The JSON of a response on its way to a typed value.
public typealias ResponseData = ApusClientAPI.ResponseData
/// What an application sends along with a request for its own interceptors.
public typealias RequestContext = ApusClientAPI.RequestContext
