import CApusCurl

/// libcurl, which is loaded for the first request.
package enum CurlLibrary {
  static let isReady = apus_curl_global_init() == CURLE_OK

  /// The reason why libcurl cannot be loaded, with installation advice; nil if it can.
  package static var failure: String? { apus_curl_failure().map { String(cString: $0) } }

  /// The version of libcurl and of the libraries that it uses.
  package static var version: String? { curl_version().map { String(cString: $0) } }
}
