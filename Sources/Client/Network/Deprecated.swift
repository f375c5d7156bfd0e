// Former names of public declarations, which the next version removes.

extension HTTPRequest {
  /// The former name of `redactedURL`.
  @available(*, deprecated, renamed: "redactedURL")
  public var shownURL: String { redactedURL }

  /// The former name of `allowsCrossOriginBody`.
  @available(*, deprecated, renamed: "allowsCrossOriginBody")
  public var mayLeaveWithBody: Bool {
    get { allowsCrossOriginBody }
    set { allowsCrossOriginBody = newValue }
  }
}

extension HTTPHead {
  /// The former name of `changedToGET`.
  @available(*, deprecated, renamed: "changedToGET")
  public var becameGET: Bool {
    get { changedToGET }
    set { changedToGET = newValue }
  }
}

extension HTTPResponseWriter {
  /// The former name of `writeHead(status:headers:)`.
  @available(*, deprecated, renamed: "writeHead(status:headers:)")
  public func begin(status: Int = 200, headers: HTTPHeaders = [:]) { writeHead(status: status, headers: headers) }
}

extension NetworkError {
  /// The former name of `interrupted(host:receivedBytes:)`.
  @available(*, deprecated, renamed: "interrupted(host:receivedBytes:)")
  public static func cut(host: String, receivedBytes: Int) -> Self {
    .interrupted(host: host, receivedBytes: receivedBytes)
  }

  /// The former name of `notRetried(host:)`.
  @available(*, deprecated, renamed: "notRetried(host:)")
  public static func notRepeated(host: String) -> Self { .notRetried(host: host) }
}
