import ApusClientNetwork
import ApusClientRequestChain
import ApusCompression
import ApusGraphQLMediaTypes
import ApusJSON

/// Splits the body of an observed response into its parts, after decompressing it.
///
/// A body is read up to a limit: one without parts, or the text between two parts. The relay is not affected by it.
struct ResponseReader {
  /// A part of a response: a payload as the server sent it.
  struct Part {
    var headers: HTTPHeaders = [:]
    var body: [UInt8]
    /// The payload, if it was parsed.
    var json: JSONValue?
  }

  /// The maximum size of a part, in bytes.
  static let limit = 16 << 20

  let head: HTTPHead
  /// The reason why the rest of the body is not read.
  private(set) var problem: String?
  private var decoders: [ContentDecoder] = []
  private var splitter: PartSplitter?
  /// The body, or the number of bytes since the last part.
  private var body: [UInt8] = []
  private var waitingCount = 0

  init(_ head: HTTPHead) {
    self.head = head
    splitter = PartSplitter(head.mediaType)
    do throws(ContentDecoder.Failure) {
      for value in head.headers.values(of: "Content-Encoding") {
        for name in value.split(whereSeparator: { $0 == "," || $0 == " " }) where name.lowercased() != "identity" {
          // The last encoding was applied last.
          decoders.insert(try ContentDecoder(encoding: String(name)), at: 0)
        }
      }
    } catch {
      problem = "the response cannot be shown: \(error)"
    }
  }

  /// The number of bytes that are kept.
  var keptByteCount: Int { problem == nil ? waitingCount : 0 }
  /// Whether the response consists of parts, which arrive one after another.
  var hasParts: Bool { splitter != nil }
  /// Whether the server announced the end of the parts.
  var isClosed: Bool { splitter?.isClosed ?? false }

  /// Processes bytes of the body and returns the parts that they complete.
  mutating func receive(_ bytes: [UInt8]) -> [Part] {
    guard problem == nil else { return [] }
    do {
      var decoded = bytes
      for decoder in decoders { decoded = try decoder.decode(decoded, limit: Self.limit) }
      waitingCount += decoded.count
      guard splitter != nil else {
        body += decoded
        if waitingCount > Self.limit { stop("it is larger than \(Self.limit >> 20) MB") }
        return []
      }
      let parts = try splitter?.receive(decoded) ?? []
      if !parts.isEmpty { waitingCount = 0 }
      if waitingCount > Self.limit { stop("a part is larger than \(Self.limit >> 20) MB") }
      return parts.map { Part(headers: $0.headers, body: $0.body) }
    } catch {
      stop("\(error)")
      return []
    }
  }

  /// Returns the rest after the end of the body: the whole body if it has no parts.
  mutating func finish() -> Part? {
    guard problem == nil else { return nil }
    guard splitter != nil else { return Part(body: body) }
    guard !isClosed, let part = splitter?.finish(), let json = try? JSONDocument(parsing: part.body).root else {
      return nil
    }
    return Part(headers: part.headers, body: part.body, json: json)
  }

  /// Stops reading the body.
  mutating func stop(_ reason: String) {
    problem = "the response cannot be shown: \(reason)"
    (body, splitter) = ([], nil)
  }
}

extension HTTPHead {
  /// The parsed content type.
  var mediaType: MediaType { MediaType(parsing: headers["Content-Type"] ?? "") }
}
