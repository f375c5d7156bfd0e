import CApusCompression

/// Decodes compressed content while its bytes arrive (RFC 9110, section 8.4).
package final class ContentDecoder {
  package enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The encoding is not one of gzip, deflate, br and zstd.
    case unknownEncoding(String)
    /// The library of an encoding cannot be loaded; with the reason and what to install.
    case missingLibrary(String)
    case invalid
    /// The decoded bytes exceed a limit.
    case tooLarge(limit: Int)

    package var description: String {
      switch self {
      case .unknownEncoding(let name): "its encoding '\(name)' is not one of gzip, deflate, br and zstd"
      case .missingLibrary(let reason): "it cannot be decompressed: \(reason)"
      case .invalid: "its compressed bytes are not valid"
      case .tooLarge(let limit): "it is larger than \(limit >> 20) MB"
      }
    }
  }

  private enum Format {
    case gzip, deflate, rawDeflate, brotli, zstandard

    var compression: apus_compression {
      switch self {
      case .gzip, .deflate: APUS_ZLIB
      case .rawDeflate: APUS_RAW_DEFLATE
      case .brotli: APUS_BROTLI
      case .zstandard: APUS_ZSTD
      }
    }
  }

  private var format: Format
  private var decoder: OpaquePointer?
  private var output = [UInt8](repeating: 0, count: 64 << 10)

  /// Loads the libraries that are installed. A decoder does so too, but not if the descriptors are used up at that time.
  package static func loadLibraries() {
    for compression in [APUS_ZLIB, APUS_BROTLI, APUS_ZSTD] { _ = apus_compression_failure(compression) }
  }

  /// Creates a decoder for the name of an encoding.
  package init(encoding: String) throws(Failure) {
    switch encoding.lowercased() {
    case "gzip", "x-gzip": format = .gzip
    case "deflate": format = .deflate
    case "br": format = .brotli
    case "zstd": format = .zstandard
    default: throw .unknownEncoding(encoding)
    }
    if let reason = apus_compression_failure(format.compression) { throw .missingLibrary(String(cString: reason)) }
  }

  /// Creates a decoder for deflate without a header, as in compressed WebSocket messages (RFC 7692).
  package init(rawDeflate: Void) throws(Failure) {
    format = .rawDeflate
    if let reason = apus_compression_failure(APUS_ZLIB) { throw .missingLibrary(String(cString: reason)) }
  }

  deinit { apus_decoder_free(decoder) }

  /// Decodes the next bytes, of which at most `limit` bytes may come.
  package func decode(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    guard let first = bytes.first else { return [] }
    if decoder == nil {
      // Some servers send deflate without the header of zlib, whose first byte ends in 8.
      if format == .deflate, first & 0x0F != 8 { format = .rawDeflate }
      decoder = apus_decoder_create(format.compression)
    }
    guard let decoder else { throw .missingLibrary("memory is exhausted") }
    var decoded: [UInt8] = []
    let isValid = bytes.withUnsafeBufferPointer { input in
      var (next, rest) = (input.baseAddress, input.count)
      while true {
        let before = rest
        let count = output.withUnsafeMutableBufferPointer {
          apus_decoder_decode(decoder, &next, &rest, $0.baseAddress, $0.count)
        }
        guard count >= 0 else { return false }
        decoded += output[..<count]
        guard decoded.count <= limit else { return true }
        if count < output.count, rest == 0 || rest == before { return true }
      }
    }
    guard isValid else { throw .invalid }
    guard decoded.count <= limit else { throw .tooLarge(limit: limit) }
    return decoded
  }
}
