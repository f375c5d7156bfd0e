import ApusPlatform
import CApusCurl

enum CookieFile {
  /// Creates the file if it does not exist, readable only by the user. libcurl would create one that others can read,
  /// and report no error if it cannot.
  static func check(_ path: String) throws(NetworkError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unreadableFile(path: path, purpose: "the file of cookies") }
    close(descriptor)
  }

  /// Writes the cookies of a handle to the file, atomically: libcurl truncates a file before writing, so it writes a
  /// temporary file that then replaces the old one. The handle then forgets the temporary file, or it would write it
  /// again when freed.
  static func save(_ easy: UnsafeMutableRawPointer, to path: String) {
    let beside = "\(path).apus-\(getpid())"
    // In a shared folder the name may already exist, for example as a link.
    unlink(beside)
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    close(descriptor)
    apus_curl_set_string(easy, CURLOPT_COOKIEJAR, beside)
    apus_curl_set_string(easy, CURLOPT_COOKIELIST, "FLUSH")
    apus_curl_set_string(easy, CURLOPT_COOKIEJAR, nil)
    if rename(beside, path) != 0 { unlink(beside) }
  }
}
