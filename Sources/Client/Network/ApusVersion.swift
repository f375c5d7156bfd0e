/// The version of Apus, in the one place where it is written.
package enum ApusVersion {
  package static let number = "0.2.0"

  /// What a request says of who makes it, where its headers say nothing (RFC 9110, section 10.1.5).
  package static let userAgent = "apus/\(number)"
}
