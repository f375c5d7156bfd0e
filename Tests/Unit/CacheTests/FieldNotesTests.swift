import ApusClientRecords
import Testing

/// The notes that removals leave, of each kind.
@Suite struct FieldNotesTests {
  private let first = RecordID(number: 1)
  private let second = RecordID(number: 2)
  private let a = FieldID(number: 1)
  private let b = FieldID(number: 2)

  private func notes(expires: Bool = true, fails: Bool = true, isTaken: Bool = true) -> FieldNotes {
    var notes = FieldNotes()
    for record in [first, second] {
      for field in [b, a] {
        if expires { notes.setExpiry(record.number * 10 + field.number, record, field) }
        if fails { notes.setError("[\(field.number)]", record, field) }
        if isTaken { notes.setTaker("{\(field.number)}", record, field) }
      }
    }
    return notes
  }

  /// A removed field loses its expiry and its error. The write that took its value is known as long as the record.
  @Test func `a removed field has no expiry and no error, and others keep theirs`() {
    for kinds in 0..<8 {
      let (expires, fails, isTaken) = (kinds & 1 == 1, kinds & 2 == 2, kinds & 4 == 4)
      var notes = notes(expires: expires, fails: fails, isTaken: isTaken)
      notes.drop(first, a)
      #expect(notes.expiry(first, a) == nil && notes.error(first, a) == nil)
      #expect(notes.taker(first, a) == (isTaken ? "{1}" : nil))
      for (record, field) in [(first, b), (second, a), (second, b)] {
        #expect(notes.expiry(record, field) == (expires ? record.number * 10 + field.number : nil))
        #expect(notes.error(record, field) == (fails ? "[\(field.number)]" : nil))
        #expect(notes.taker(record, field) == (isTaken ? "{\(field.number)}" : nil))
      }
      #expect(notes.isEmpty == (!expires && !fails) && notes.hasTakers == isTaken)
    }
  }

  @Test func `a record without errors is not listed`() {
    var notes = notes()
    #expect(Set(notes.recordsWithErrors) == [first, second] && Set(notes.recordsWithTakers) == [first, second])
    #expect(
      notes.errors(of: first).map(\.text) == ["[1]", "[2]"] && notes.takers(of: first).map(\.text) == ["{1}", "{2}"])
    for field in [a, b] {
      notes.drop(first, field)
      notes.setTaker(nil, first, field)
    }
    #expect(notes.recordsWithErrors == [second] && notes.recordsWithTakers == [second])
    notes.dropErrors(of: second)
    #expect(notes.recordsWithErrors == [] && notes.recordsWithTakers == [])
    #expect(notes.hasExpiries && !notes.hasErrors && !notes.hasTakers)
  }
}
