import CApusCurl

/// libcurl, which is loaded and set up when the first request is made.
package enum CurlLibrary {
  static let isReady = apus_curl_global_init() == CURLE_OK

  /// Why there is no libcurl and what to install; nil when it is there.
  package static var failure: String? { apus_curl_failure().map { String(cString: $0) } }

  /// The version, and those of the libraries it stands on.
  package static var version: String? { curl_version().map { String(cString: $0) } }
}
