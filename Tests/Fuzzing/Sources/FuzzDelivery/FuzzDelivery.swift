import ClientIncremental
import ClientOperation
import Foundation
import FuzzDriver
import GraphQLLanguage
import JSON

@main
enum Program {
  static func main() { exit(runFuzzer(CommandLine.argc, CommandLine.unsafeArgv)) }
}

/// What must hold of any body of a multipart response, however it is cut into reads: it ends in parts or an error, what is
/// read in pieces is what is read at once, and whatever the payloads say, nothing is left pending at the end.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let pieceSize = 1 + Int(bytes.first ?? 0) % 16
  let whole = parts(of: bytes, pieceSize: max(count, 1))
  if let whole, let pieces = parts(of: bytes, pieceSize: pieceSize) {
    // What stands behind the JSON of the last part is not known to one that was given out before it came.
    let counts = [whole.bodies.count, pieces.bodies.count]
    let certain = whole.isClosed ? counts.max() : counts.min().map { $0 - 1 }
    precondition(whole.isClosed == pieces.isClosed)
    precondition(whole.bodies.prefix(max(0, certain ?? 0)) == pieces.bodies.prefix(max(0, certain ?? 0)))
  }
  // A body that is no multipart response is taken as payloads, a line each.
  let bodies =
    whole.flatMap { $0.bodies.isEmpty ? nil : $0.bodies }
    ?? bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
  merge(bodies)
  return 0
}

/// The bodies of the parts; nil when the reader refuses the response.
private func parts(of bytes: [UInt8], pieceSize: Int) -> (bodies: [[UInt8]], isClosed: Bool)? {
  var reader = MultipartReader(boundary: "-")
  var bodies: [[UInt8]] = []
  var index = 0
  while index < bytes.count {
    let end = min(index + pieceSize, bytes.count)
    guard let parts = try? reader.receive(Array(bytes[index..<end])) else { return nil }
    bodies += parts.map(\.body)
    index = end
  }
  if let rest = reader.finish() { bodies.append(rest.body) }
  return (bodies, reader.isClosed)
}

private let operation = try? CompiledOperation.compile(
  Document(
    parsing: """
      { a ... @defer(label: "r") { b } person { id ... @defer(label: "p") { name home { id ... @defer { x } } }
        list @stream(label: "s") { id ... on Node @defer { y } } } }
      """))

private func merge(_ bodies: [[UInt8]]) {
  guard let operation else { preconditionFailure("the operation does not compile") }
  var merger = IncrementalMerger(operation: operation, variables: .object([]))
  var last: MergedResult?
  for body in bodies {
    guard let payload = try? JSONDocument(parsing: body).root else { continue }
    guard let result = try? merger.receive(payload: payload, at: .zero) else { continue }
    precondition(!result.isComplete || isSettled(result))
    last = result
  }
  if let end = merger.finish(cut: true, at: .zero) {
    precondition(isSettled(end))
    last = end
  }
  // Whatever was merged can be written, and read again as the same.
  if let data = last?.data {
    precondition((try? JSONDocument(parsing: data.description).root) == data)
  }
}

private func isSettled(_ result: MergedResult) -> Bool {
  !result.fragments.contains { $0.state.isPending } && !result.streams.contains { $0.state.isPending }
}
