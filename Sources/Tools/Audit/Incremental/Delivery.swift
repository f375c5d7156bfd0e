import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

extension IncrementalFormat {
  /// The `Accept` header of a client that prefers this format and accepts no other incremental format.
  var accept: String { "\(mediaType), \(GraphQLMediaType.json);q=0.5" }
}

/// The response to a deferred operation, with its payloads.
struct Delivery {
  let shape: IncrementalShape
  let requested: IncrementalFormat
  let exchange: Exchange
  /// The multipart body; nil if the response is not multipart.
  let body: MultipartBody?
  /// Payloads, without heartbeats.
  let payloads: [JSONValue]
  /// The range of each payload in the body.
  private let ranges: [Range<Int>]
  /// The response to the same document without directives.
  let plain: Exchange
  /// Paths at which two responses to the field differ, such as clocks and random order.
  let volatilePaths: Set<String>

  init(
    _ shape: IncrementalShape, _ requested: IncrementalFormat, _ exchange: Exchange, plain: Exchange,
    volatilePaths: Set<String> = []
  ) {
    self.shape = shape
    self.requested = requested
    self.exchange = exchange
    self.plain = plain
    self.volatilePaths = volatilePaths
    let type = exchange.mediaType
    body = type.isMultipart ? MultipartBody(exchange.body, boundary: type.boundary) : nil
    let complete = exchange.json.map { [($0, 0..<exchange.body.count)] } ?? []
    let values = body.map { $0.parts.compactMap { part in part.json.map { ($0, part.range) } } } ?? complete
    let present = values.filter { $0.0.kind == .object && $0.0.count > 0 }
    payloads = present.map(\.0)
    ranges = present.map(\.1)
  }

  /// Returns the range of a payload in the body.
  func range(of payload: Int?) -> Range<Int>? {
    payload.flatMap { ranges.indices.contains($0) ? ranges[$0] : nil }
  }

  /// Whether the response arrived in several payloads, or announced several.
  var isIncremental: Bool {
    body != nil && (payloads.count > 1 || first?["hasNext"]?.bool == true || first?["pending"] != nil)
  }
  var first: JSONValue? { payloads.first }
  /// The format of the payloads, regardless of the requested one: `pending` or `completed` in a payload means the v0.2
  /// format.
  var format: IncrementalFormat? {
    guard isIncremental else { return nil }
    let isNew = payloads.contains { $0["pending"] != nil || $0["completed"] != nil }
    return isNew ? .incrementalV02 : .defer20220824
  }
  /// Entries of `incremental`, with the index of their payload.
  var items: [(payload: Int, item: JSONValue)] {
    payloads.enumerated().flatMap { index, payload in (payload["incremental"]?.elements ?? []).map { (index, $0) } }
  }
  var merged: PayloadMerger { PayloadMerger(self) }
  var title: String { "\(shape.name), \(requested.phrase)" }

  /// Paths at which the merged result differs from the result without directives. Excluded are paths that differ
  /// between any two responses, and those of failed fragments and streams, which keep more data than plain null
  /// propagation.
  var differences: [String] {
    guard let plain = plain.data else { return [] }
    let merged = merged
    let failed = merged.failedPaths.map(\.pattern)
    return merged.data.differences(from: MutableJSON(plain)).filter { path in
      !volatilePaths.contains { path.isPath($0) } && !failed.contains { path.isPath($0) || $0.isPath(path) }
    }.sorted()
  }
}

extension String {
  /// Whether the path equals another one or is below it: `.birds.*.name` is below `.birds`.
  func isPath(_ other: String) -> Bool { self == other || hasPrefix(other + ".") }
}

extension AuditContext {
  /// Sends every shape of every candidate field in both formats. The request limit reduces the number of fields.
  func deliveries() async throws -> [Delivery] {
    if let sentDeliveries { return sentDeliveries }
    guard let schema else { throw AuditStop.notApplicable("the schema is unknown") }
    let defers = schema.directive(named: "defer")?.isImplied == false
    let streams = schema.directive(named: "stream")?.isImplied == false
    guard defers || streams else { throw AuditStop.notApplicable("the schema has neither @defer nor @stream") }
    let pool = try await probe()
    guard !pool.fields.isEmpty else { throw AuditStop.notApplicable("no field can be requested without arguments") }
    var deliveries: [Delivery] = []
    var seen: Set<IncrementalShape.Trait> = []
    for (index, probed) in candidates(pool).enumerated() {
      for shape in IncrementalShapes.all(for: probed, defers: defers, streams: streams) {
        // Further fields are used only for traits that earlier fields do not have, up to the request limit.
        let isNew = !shape.traits.isSubset(of: seen)
        guard isNew || index < Self.completeFieldCount, exchanges.count + 4 < settings.requestLimit * 3 / 5 else {
          continue
        }
        seen.formUnion(shape.traits)
        deliveries += try await send(shape, volatilePaths: try await volatilePaths(of: probed))
      }
    }
    if streams, let probed = pool.emptyLists.first {
      deliveries += try await send(IncrementalShapes.empty(probed), volatilePaths: [])
    }
    for leaf in try await failingLeaves() {
      for shape in IncrementalShapes.failing(leaf, defers: defers, streams: streams) {
        deliveries += try await send(shape, volatilePaths: [])
      }
    }
    sentDeliveries = deliveries
    return deliveries
  }

  /// Sends a shape without directives, and in both formats.
  private func send(_ shape: IncrementalShape, volatilePaths: Set<String>) async throws -> [Delivery] {
    let plain = try await run(shape.plain)
    var deliveries: [Delivery] = []
    for format in IncrementalFormat.allCases {
      let exchange = try await run(shape.document, accept: format.accept)
      deliveries.append(Delivery(shape, format, exchange, plain: plain, volatilePaths: volatilePaths))
    }
    return deliveries
  }

  /// Returns the paths at which two responses to a field differ, including the aliases that shapes use.
  private func volatilePaths(of probed: ProbedField) async throws -> Set<String> {
    if let paths = volatilePaths[probed.field.text] { return paths }
    let again = try await exchange(probed.exchange.request)
    guard let before = probed.exchange.data, let after = again.data else { return [] }
    let paths = MutableJSON(before).differences(from: MutableJSON(after))
    let all = paths.union(paths.map { ".audit" + $0.dropFirst(probed.field.name.count + 1) })
    volatilePaths[probed.field.text] = all
    return all
  }

  private static let completeFieldCount = 1

  /// Returns the fields for audits: first an object with nested objects, a list and a field of an abstract type, then
  /// the others.
  private func candidates(_ pool: OperationPool) -> [ProbedField] {
    let quick = pool.fields.sorted { (isSlow($0) ? 1 : 0) < (isSlow($1) ? 1 : 0) }
    let preferred = [
      quick.first { !$0.field.isList && !$0.field.composites.isEmpty }, quick.first { $0.field.isList },
      quick.first(where: \.field.isAbstract),
    ].compactMap { $0 }
    let names = Set(preferred.map(\.field.name))
    return preferred + quick.filter { !names.contains($0.field.name) }
  }

  /// Returns the deliveries with several payloads; not applicable if there are none.
  func incrementalDeliveries(_ format: IncrementalFormat? = nil) async throws -> [Delivery] {
    let all = try await deliveries().filter { $0.isIncremental && (format == nil || $0.format == format) }
    guard !all.isEmpty else {
      let limit = format.map { " of \($0.phrase)" } ?? ""
      throw AuditStop.notApplicable("no response arrived in several payloads\(limit)")
    }
    return all
  }

  /// Returns the deliveries with a multipart body, regardless of its content.
  func multipartDeliveries() async throws -> [Delivery] {
    let all = try await deliveries().filter { $0.body != nil }
    guard !all.isEmpty else { throw AuditStop.notApplicable("no response was multipart") }
    return all
  }

  /// Fails the audit with a delivery unless a condition holds. The index of a payload or a range of the body is the
  /// proof.
  func expect(
    _ condition: Bool, _ delivery: Delivery, payload: Int? = nil, found: String, proof: Range<Int>? = nil
  ) throws(AuditStop) {
    try expect(
      condition, delivery.exchange, found: "\(delivery.title): \(found)", proof: proof ?? delivery.range(of: payload))
  }
}
