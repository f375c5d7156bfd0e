import ApusClientAPI
import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// A place of an operation that the cache has no value for, and why.
public struct CacheMiss: Sendable, Hashable {
  /// Why the cache has no value.
  public enum Reason: Sendable, Hashable {
    /// There is no record that the field could be in.
    case noRecord
    /// The record does not have the field.
    case noField
    /// The record has the field with other arguments: under these keys.
    case otherArguments([String])
    /// It has outlived its time.
    case expired
    /// It refers to a record that is not there.
    case lostRecord(CacheKey)
    /// These errors left it without a value when it was asked for.
    case errors([String])
    /// The value is not of the type that the operation asks for, or is not all there.
    case unfit
  }

  /// Where the response would have the value.
  public let path: ResponsePath
  /// The record that was looked into.
  public let record: CacheKey
  /// The field's key in the record, with its arguments.
  public let field: String
  /// Why the value is missing.
  public let reason: Reason
}

extension CacheStore {
  /// What the cache lacks of an operation, its deferred fragments included, and why; in the operation's order, and no more
  /// than `limit` places. Without `allowStale` what has outlived its time is missing. `snapshot` is the cache as it was
  /// then, instead of as it is.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read.
  public nonisolated func misses(
    of operation: CompiledOperation, variables: JSONValue = .object([]), allowStale: Bool = false,
    in snapshot: CacheSnapshot? = nil, limit: Int = 1000
  ) async throws -> [CacheMiss] {
    let records = if let snapshot { snapshot.records } else { try await self.snapshot().records }
    let request = request(operation, variables)
    let moment = ReadMoment(time: now, allowsStale: allowStale)
    let read = RecordReader.read(request, from: records, moment, allowPartial: true)
    if read.isComplete { return [] }
    var finder = MissFinder(records, request, moment, noted: read, limit: limit)
    return finder.find()
  }
}

/// Walks along an operation through the records, as the reader does, and notes each required field that is not there.
private struct MissFinder {
  private let records: RecordSet
  private let storage: StoredRecords
  private let root: CacheKey
  private let plan: SelectionPlan
  private let context: ReaderContext
  private let moment: ReadMoment
  /// What a read found to be missing: what its fields' arguments lead to, and the pages of a connection, are its affair.
  private let missing: Set<ResponsePath>
  private let limit: Int
  private var path: [PathComponent] = []
  private var misses: [CacheMiss] = []

  init(_ records: RecordSet, _ request: RecordRequest, _ moment: ReadMoment, noted read: CacheRead, limit: Int) {
    self.records = records
    storage = records.storage
    plan = request.plan
    root = request.root
    context = ReaderContext(request)
    self.moment = moment
    missing = Set(read.missing)
    self.limit = limit
  }

  mutating func find() -> [CacheMiss] {
    let shapes = context.shapes(of: plan.root)
    if let id = records.find(root), storage.exists(id) {
      walk(id, shapes)
    } else {
      for field in shapes.shape(type: nil, in: storage).fields where field.isRequired {
        within(.key(field.responseKey)) { finder in
          guard field.redirect == nil || finder.isNoted else { return }
          finder.miss(field, in: finder.root, .noRecord)
        }
      }
    }
    return misses
  }

  private mutating func walk(_ id: RecordID, _ shapes: ReaderShapes) {
    let shape = shapes.shape(type: storage[id].type, in: storage)
    for field in shape.fields where misses.count < limit {
      let mayBeThere = !field.coverage.isEmpty && storage.isCovered(field, in: id) != false
      guard field.isRequired || mayBeThere else { continue }
      within(.key(field.responseKey)) { $0.look(at: field, of: id) }
    }
  }

  private mutating func look(at field: ReaderField, of id: RecordID) {
    // Whether a record has it nobody has asked yet: what is there may be another fragment's.
    if !field.coverage.isEmpty, storage.isCovered(field, in: id) == nil {
      return miss(field, in: storage.key(id), absence(of: field, in: id))
    }
    guard let own = field.id, let slot = storage.value(of: own, in: id) else {
      // Its arguments, or other pages, may lead to the value.
      if field.redirect != nil || field.isConnection, !isNoted { return }
      return miss(field, in: storage.key(id), absence(of: field, in: id))
    }
    let end = storage.expiry(of: own, in: id)
    if end != 0, end <= moment.time, !moment.allowsStale {
      // Other pages may answer for it; where they did not, the read has noted it.
      if field.isConnection, !isNoted { return }
      return miss(field, in: storage.key(id), .expired)
    }
    if isNoted { return miss(field, in: storage.key(id), lostTarget(of: slot) ?? .unfit) }
    if let child = field.child { follow(slot, field, child, of: id) }
  }

  private mutating func follow(_ slot: StoredValue, _ field: ReaderField, _ child: ReaderShapes, of id: RecordID) {
    switch slot.kind {
    case .reference:
      if storage.exists(slot.target) {
        walk(slot.target, child)
      } else {
        miss(field, in: storage.key(id), .lostRecord(storage.key(slot.target)))
      }
    case .list:
      let range = field.window.flatMap { $0.part(of: slot, in: storage)?.range } ?? 0..<slot.count
      for index in range where misses.count < limit {
        let item = storage.item(at: index, of: slot)
        within(.index(index - range.lowerBound)) { finder in
          if finder.isNoted {
            finder.miss(field, in: finder.storage.key(id), finder.lostTarget(of: item) ?? .unfit)
          } else {
            finder.follow(item, field, child, of: id)
          }
        }
      }
    case .null, .scalar, .missing: break
    }
  }

  private func lostTarget(of slot: StoredValue) -> CacheMiss.Reason? {
    guard slot.kind == .reference, !storage.exists(slot.target) else { return nil }
    return .lostRecord(storage.key(slot.target))
  }

  /// Why a record does not have a field.
  private func absence(of field: ReaderField, in id: RecordID) -> CacheMiss.Reason {
    if let own = field.id, let text = storage.notes.error(id, own),
      let errors = JSONText.document(Array(text.utf8))
    {
      return .errors(GraphQLError.list(errors).map(\.message))
    }
    let others = storage.fields(of: id).map { storage.fieldNames[$0.field] }.filter(field.isPage)
    return others.isEmpty ? .noField : .otherArguments(others)
  }

  private var isNoted: Bool { missing.contains(ResponsePath(path)) }

  private mutating func miss(_ field: ReaderField, in record: CacheKey, _ reason: CacheMiss.Reason) {
    guard misses.count < limit else { return }
    misses.append(CacheMiss(path: ResponsePath(path), record: record, field: field.key, reason: reason))
  }

  private mutating func within(_ component: PathComponent, _ body: (inout MissFinder) -> Void) {
    path.append(component)
    body(&self)
    path.removeLast()
  }
}
