import ApusPlatform
import CApusCurl

/// The file that cookies are kept in.
enum CookieFile {
  /// Makes the file where there is none, for its user alone: libcurl would make one that others may read, and says nothing
  /// where it can make none.
  static func check(_ path: String) throws(NetworkError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unreadableFile(path: path, purpose: "the file of cookies") }
    close(descriptor)
  }

  /// Writes what a handle knows, whole or not at all: libcurl empties a file before it writes it, and the program may end
  /// meanwhile. So it writes one beside it, which then takes its place; and it is told of that one no longer, for it would
  /// write once more when the handle is freed.
  static func save(_ easy: UnsafeMutableRawPointer, to path: String) {
    let beside = "\(path).apus-\(getpid())"
    // In a folder of several people the name may stand already, and lead elsewhere.
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
