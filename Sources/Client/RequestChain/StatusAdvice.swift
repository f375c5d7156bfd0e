import ApusClientNetwork

/// The advice at the end of the message about an error status.
enum StatusAdvice {
  static func text(for head: HTTPHead) -> String {
    let delay = head.headers["Retry-After"].flatMap { RetryAfter.delay($0) }.flatMap(words)
    switch head.status {
    case 304:
      return "it sends no body to a request with a condition; remove the headers If-None-Match and If-Modified-Since"
    case 300..<400:
      return head.shownLocation.map {
        "it redirects to \(SingleLineText.line($0)), which was not followed; use that URL"
      }
        ?? "it redirects without a new URL; check the URL"
    case 511: return "the network needs a sign-in; open a web page and sign in"
    case 500...:
      return delay.map { "the server failed; try again in \($0)" } ?? "the server failed; try again or look at its log"
    default: break
    }
    if let delay { return "wait \(delay) before you try again" }
    return switch head.status {
    case 401, 403: "check the credentials"
    case 404, 405, 410: "check the path of the URL"
    case 406: "it supports none of the requested formats; pin another one"
    case 407: "check the credentials of the proxy"
    case 408: "the request took too long; try again"
    case 413: "send less: smaller variables or files"
    case 414: "the URL is too long; send the request by POST"
    case 415: "it does not read JSON at this URL; check the path of the URL"
    case 429: "wait before you try again"
    case 431: "send fewer or shorter headers and cookies"
    default: "check the request"
    }
  }

  /// Returns a delay in words, rounded up: "90 s", "5 minutes", "3 hours"; `nil` for no delay.
  private static func words(_ delay: Duration) -> String? {
    let seconds = delay.components.seconds
    guard seconds > 0 else { return nil }
    if seconds <= 120 { return "\(seconds) s" }
    let (count, unit) = seconds <= 7200 ? ((seconds + 59) / 60, "minutes") : ((seconds + 3599) / 3600, "hours")
    return "\(count) \(unit)"
  }
}
