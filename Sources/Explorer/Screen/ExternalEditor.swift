import ApusConfiguration
import ApusPlatform
import ApusProcesses
import Dispatch
import Synchronization

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

/// Hands a text to the user's own editor in a file that only they can read, and takes it back.
final class ExternalEditor: Sendable {
  /// The editors that run, by the files that they have.
  private let running = Mutex<[String: pid_t]>([:])
  /// The work of waiting for them.
  private let waits = DispatchGroup()
  /// The time that an editor has to end after a hangup.
  private static let patience = DispatchTimeInterval.seconds(1)

  func edit(_ text: String, isJSON: Bool) async throws(ExternalEditorError) -> String {
    let environment = ProcessEnvironment.read()
    let editor = [environment["VISUAL"], environment["EDITOR"]].compactMap { $0 }.first { !$0.isEmpty } ?? "vi"
    let name = try Self.write(text, isJSON ? ".json" : ".graphql", environment)
    var isKept = false
    defer { if !isKept { unlink(name) } }
    try await run(editor, on: name)
    guard let bytes = try? UserFile.read(name, limit: .max) else { throw .leftNothing(editor) }
    guard var edited = String(validating: bytes, as: UTF8.self) else {
      isKept = true
      throw .leftNoText(editor, path: Self.kept(name))
    }
    if edited.last?.isNewline == true { edited.removeLast() }
    return edited
  }

  /// Ends the editors that still run, as a terminal that goes away does, and removes their files.
  func endAll() async {
    let left = running.withLock { $0 }
    for process in left.values where process > 0 { kill(process, SIGHUP) }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [waits] in
        _ = waits.wait(timeout: .now() + Self.patience)
        continuation.resume()
      }
    }
    for file in left.keys { unlink(file) }
  }

  /// Writes the text into a new file. Its name has the number of this process, so that the next start can remove the file
  /// of one that was killed (`UserFile.removeLeftovers`). It is in the folder for temporary files where the user's state
  /// folder cannot be written.
  private static func write(
    _ text: String, _ ending: String, _ environment: [String: String]
  ) throws(ExternalEditorError) -> String {
    let own = UserFolders(environment: environment).editing
    let isOwn = (try? UserFile.makePrivateFolder(own)) != nil
    var path = Array("\(isOwn ? own : environment["TMPDIR"] ?? "/tmp")/apus-\(getpid())-XXXXXX\(ending)".utf8CString)
    let descriptor = mkstemps(&path, Int32(ending.utf8.count))
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw .noFile(name) }
    let isWritten = Descriptor.writeAll(Array((text + "\n").utf8), to: descriptor)
    close(descriptor)
    guard isWritten else {
      unlink(name)
      throw .noFile(name)
    }
    return name
  }

  /// Renames a file that a message names, so that the next start does not remove it.
  private static func kept(_ name: String) -> String {
    let new = name.replacing("/apus-\(getpid())-", with: "/edited-")
    return rename(name, new) == 0 ? new : name
  }

  /// Through the shell, as everywhere: the variable may hold arguments. What waits is no thread of Swift's tasks.
  private func run(_ editor: String, on path: String) async throws(ExternalEditorError) {
    running.withLock { $0[path] = 0 }
    let status = await withCheckedContinuation { (continuation: CheckedContinuation<Int32?, Never>) in
      DispatchQueue.global().async(group: waits) { [self] in
        // An editor that is hung up on keeps what was typed; one that goes on would share its terminal with a shell.
        let words = ["-c", "\(editor) \"$1\"", "sh", path]
        let process = try? Children.start("/bin/sh", words, endingWithThreadBy: SIGHUP)
        if let process { running.withLock { $0[path] = process } }
        let status = process.map { Children.wait(for: $0) }
        running.withLock { $0[path] = nil }
        continuation.resume(returning: status)
      }
    }
    guard let status, status != 127 else { throw .notStarted(editor) }
    guard status == 0 else { throw .failed(editor, status: status) }
  }
}
