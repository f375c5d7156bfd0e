/// The version of Apus. This is the only definition.
package enum ApusVersion {
  package static let number = "0.2.0"

  /// The default `User-Agent` header (RFC 9110, section 10.1.5).
  package static let userAgent = "apus/\(number)"
}
