// The umbrella module for programs with type-safe selections: the selections and the client. It omits part of
// `ApusClientAPI`, whose `Selection` belongs to generated models.
@_exported import ApusClientCache
@_exported import ApusClientCore
@_exported import ApusClientNetwork
@_exported import ApusClientRequestChain
@_exported import ApusClientSelections
@_exported import ApusJSON

import ApusClientAPI
import ApusClientOperation

/// A custom scalar, such as a date.
public typealias CustomScalar = ApusClientAPI.CustomScalar
/// An instance of a deferred fragment with its state, as listed in `GraphQLResult.fragments`.
public typealias DeferredFragment = ApusClientAPI.DeferredFragment
/// The state of a deferred fragment.
public typealias DeferredState = ApusClientAPI.DeferredState
/// An error that the server reported in a response (GraphQL specification, section 7.1.2).
public typealias GraphQLError = ApusClientAPI.GraphQLError
/// An operation that a client can run, such as a `SelectionOperation`.
public typealias GraphQLOperation = ApusClientAPI.GraphQLOperation
/// One result of an operation: its data so far, its errors, and whether more results follow.
public typealias GraphQLResult = ApusClientAPI.GraphQLResult
/// The JSON of a response, to be converted to a typed value.
public typealias ResponseData = ApusClientAPI.ResponseData
/// A value that an application passes with a request to its own interceptors.
public typealias RequestContext = ApusClientAPI.RequestContext
/// The kind of a field's innermost type, used for checking responses.
public typealias NamedTypeKind = ApusClientOperation.NamedTypeKind
