/// A value that a caller attaches to a request for its own interceptors.
public protocol RequestContext: Sendable {}
