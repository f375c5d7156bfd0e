import ApusJSON
import FuzzHarness

@testable import ApusClientFormats

/// A recording is parsed, or rejected with a line number. Written again, it has as many events.
@main enum RecordingTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    guard let recording = try? Recording(parsing: bytes) else { return }
    let written = recording.events.flatMap { Recording.line($0.event, at: $0.elapsed, run: $0.run) ?? [] }
    let text = { String(decoding: written, as: UTF8.self) }
    do throws(Recording.FormatError) {
      let again = try Recording(parsing: written)
      expect(again.events.count == recording.events.count, "rewriting changes the events: \(text())")
      let twice = again.events.flatMap { Recording.line($0.event, at: $0.elapsed, run: $0.run) ?? [] }
      expect(twice == written, "writing again changes the file: \(text())")
    } catch {
      fatalError("the rewritten file is invalid: \(error): \(text())")
    }
  }
}
