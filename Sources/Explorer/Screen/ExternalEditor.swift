import ApusConfiguration
import ApusPlatform
import ApusProcesses
import Dispatch

/// Why a text did not come back from `$EDITOR`.
package enum ExternalEditorError: Error, CustomStringConvertible {
  case noFile(String)
  case notStarted(String)
  case failed(String, status: Int32)
  case leftNothing(String)
  case leftNoText(String, path: String)

  package var description: String {
    switch self {
    case .noFile(let path): "The text could not be put into \(path) for the editor"
    case .notStarted(let editor): "\(editor) could not be started: set VISUAL or EDITOR"
    case .failed(let editor, let status): "\(editor) ended with \(status); the text stays as it was"
    case .leftNothing(let editor): "\(editor) left no file behind; the text stays as it was"
    case .leftNoText(let editor, let path):
      "What \(editor) left is not UTF-8 text; it is in \(path), and the text stays as it was"
    }
  }
}

/// Hands a text to the person's own editor in a file that only they can read, and takes it back.
enum ExternalEditor {
  static func edit(_ text: String, isJSON: Bool) async throws(ExternalEditorError) -> String {
    let environment = ProcessEnvironment.read()
    let editor = [environment["VISUAL"], environment["EDITOR"]].compactMap { $0 }.first { !$0.isEmpty } ?? "vi"
    let folder = environment["TMPDIR"] ?? "/tmp"
    var path = Array("\(folder)/apus-XXXXXX\(isJSON ? ".json" : ".graphql")".utf8CString)
    let suffix = Int32(isJSON ? 5 : 8)
    let descriptor = mkstemps(&path, suffix)
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw .noFile(name) }
    var isKept = false
    defer { if !isKept { unlink(name) } }
    let isWritten = Descriptor.writeAll(Array((text + "\n").utf8), to: descriptor)
    close(descriptor)
    guard isWritten else { throw .noFile(name) }
    try await run(editor, on: name)
    guard let bytes = try? UserFile.read(name, limit: .max) else { throw .leftNothing(editor) }
    guard var edited = String(validating: bytes, as: UTF8.self) else {
      isKept = true
      throw .leftNoText(editor, path: name)
    }
    if edited.last?.isNewline == true { edited.removeLast() }
    return edited
  }

  /// Through the shell, as everywhere: the variable may hold arguments. What waits is no thread of Swift's tasks.
  private static func run(_ editor: String, on path: String) async throws(ExternalEditorError) {
    let status = await withCheckedContinuation { (continuation: CheckedContinuation<Int32?, Never>) in
      DispatchQueue.global().async {
        // An editor that is hung up on keeps what was typed; one that goes on would share its terminal with a shell.
        let words = ["-c", "\(editor) \"$1\"", "sh", path]
        let process = try? Children.start("/bin/sh", words, endingWithThreadBy: SIGHUP)
        continuation.resume(returning: process.map { Children.wait(for: $0) })
      }
    }
    guard let status, status != 127 else { throw .notStarted(editor) }
    guard status == 0 else { throw .failed(editor, status: status) }
  }
}
