import Testing

@testable import ApusClientCache
@testable import ApusClientRecords

/// The contract of a record storage, tested for the storage that the cache uses.
struct RecordStorageTests {
  /// Returns a storage with the records `A`, `B` and `A.list.1`, and a field `list` of `A` with a long string and references
  /// to the other two.
  private func storage() -> (StoredRecords, a: RecordID, b: RecordID, embedded: RecordID, list: FieldID) {
    var storage = StoredRecords(keepsReferrers: true)
    let (a, b) = (storage.record("A"), storage.record("B"))
    let list = storage.fieldNames.intern("list")
    let embedded = storage.record(in: a, list, [1])
    for record in [a, b, embedded] { _ = storage.begin(record, stamp: 1, time: 5) }
    let items = [storage.scalar("a text that is longer than eight bytes"), .reference(embedded), .reference(b)]
    storage.set(storage.list(items).stored(in: list), in: a)
    return (storage, a, b, embedded, list)
  }

  @Test func `storing and removing a value counts its bytes and references`() {
    var (storage, a, b, embedded, list) = storage()
    #expect(storage.byteCount == 16 + 16 + 38 + 16 + 16 && storage.byteCount(of: a) == storage.byteCount)
    #expect(storage.referrerCount(of: b) == 1 && storage.referrerCount(of: embedded) == 1)
    storage.set(StoredValue.reference(b).stored(in: list), in: a)
    #expect(storage.byteCount == 16)
    #expect(storage.referrerCount(of: b) == 1 && storage.referrerCount(of: embedded) == 0)
    #expect(storage.unreferenced.contains(embedded) && !storage.unreferenced.contains(b))
    storage.remove(a)
    #expect(storage.byteCount == 0 && storage.recordCount == 2 && storage.referrerCount(of: b) == 0)
  }

  @Test func `a copied value remains valid when the original is released`() {
    var (storage, a, b, _, list) = storage()
    let copies = storage.items(of: storage.value(of: list, in: a) ?? .null).map { storage.copy($0) }
    storage.set(storage.list([copies[2], copies[0]]).stored(in: list), in: a)
    // The text that is stored now reuses the released memory.
    storage.set(storage.scalar("another text of about the same length.").stored(in: list), in: b)
    #expect(storage.referrers(of: b) == [Referrer(key: "A", field: "list")])
    #expect(
      storage.record(a).fields.first?.value
        == .list([
          .reference(CacheReference("B")), .scalar("a text that is longer than eight bytes"),
        ]))
  }

  @Test func `a copy of a storage does not change with the original`() {
    var (storage, a, _, _, list) = storage()
    let copy = storage
    let before = copy.existing.map { copy.record($0) }
    storage.set(storage.scalar(2).stored(in: list), in: a)
    storage.remove(a)
    storage.removeUnusedKeys()
    for number in 0..<100 { _ = storage.record("C:\(number)") }
    #expect(copy.existing.map { copy.record($0) } == before && copy.byteCount == 102)
  }

  @Test func `a key is removed with its last use`() {
    var (storage, a, _, embedded, list) = storage()
    storage.remove(embedded)
    storage.removeUnusedKeys()
    #expect(storage.find("B") != nil && storage.find(in: a, at: .field(list)) != nil)
    storage.removeField(at: 0, of: a)
    storage.removeUnusedKeys()
    #expect(storage.find(in: a, at: .field(list)) == nil && storage.find("A") == a && storage.find("B") != nil)
  }

  @Test func `the first write to a cache counts bytes and references`() {
    var response = StoredRecords(keepsReferrers: false)
    let (a, b) = (response.record("A"), response.record("B"))
    let friend = response.fieldNames.intern("friend")
    for record in [a, b] { _ = response.begin(record, stamp: 1, time: 0) }
    response.set(response.list([.reference(b), .reference(b)]).stored(in: friend), in: a)
    #expect(response.byteCount == 0 && response.referrerCount(of: b) == 0)
    response.keepReferrers(stamp: 7, time: 9)
    #expect(response.byteCount == 48 && response.referrerCount(of: b) == 2)
    #expect(response[a] == RecordInfo(stamp: 7, written: 9))
  }
}
