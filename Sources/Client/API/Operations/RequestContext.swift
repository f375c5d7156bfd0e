/// What a caller sends along with a request for its own interceptors.
public protocol RequestContext: Sendable {}
