import ApusConfiguration
import ApusPlatform
import ApusProcesses
import Dispatch
import Synchronization

/// The reason why a document was not returned from `$EDITOR`.
package enum ExternalEditorError: Error, CustomStringConvertible {
  case noFile(String)
  case notStarted(String)
  case failed(String, status: Int32)
  case leftNothing(String)
  case leftNoText(String, path: String)

  package var description: String {
    switch self {
    case .noFile(let path): "Cannot write \(path) for the editor"
    case .notStarted(let editor): "\(editor) could not be started: set VISUAL or EDITOR"
    case .failed(let editor, let status): "\(editor) exited with status \(status); the document is unchanged"
    case .leftNothing(let editor): "\(editor) deleted its file; the document is unchanged"
    case .leftNoText(let editor, let path):
      "The file saved by \(editor) is not UTF-8; it is in \(path), and the document is unchanged"
    }
  }
}

/// Edits a document in the user's editor through a temporary file that only the user can read.
final class ExternalEditor: Sendable {
  /// The process identifiers of running editors by file.
  private let running = Mutex<[String: pid_t]>([:])
  /// The tasks that wait for the editors.
  private let waits = DispatchGroup()
  /// The time that an editor has to exit after a hangup.
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
      throw .leftNoText(editor, path: Self.savedPath(name))
    }
    if edited.last?.isNewline == true { edited.removeLast() }
    return edited
  }

  /// Sends a hangup to running editors, as when a terminal closes, and waits for them to exit and their files to be
  /// removed.
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

  /// Writes the document to a new file. The file name contains this process's identifier, so that the next start can
  /// remove files left by a killed process (`UserFile.removeLeftovers`). If the user's state folder is not writable,
  /// the file is in the temporary folder.
  private static func write(
    _ text: String, _ ending: String, _ environment: [String: String]
  ) throws(ExternalEditorError) -> String {
    let privateFolder = UserFolders(environment: environment).editing
    let isPrivate = (try? UserFile.makePrivateFolder(privateFolder)) != nil
    var path = Array(
      "\(isPrivate ? privateFolder : environment["TMPDIR"] ?? "/tmp")/apus-\(getpid())-XXXXXX\(ending)".utf8CString)
    let descriptor = mkstemps(&path, Int32(ending.utf8.count))
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw .noFile(name) }
    let isWritten = FileDescriptor.writeAll(Array((text + "\n").utf8), to: descriptor)
    close(descriptor)
    guard isWritten else {
      unlink(name)
      throw .noFile(name)
    }
    return name
  }

  /// Renames a file mentioned in a message, so that the next start does not remove it.
  private static func savedPath(_ name: String) -> String {
    let new = name.replacing("/apus-\(getpid())-", with: "/edited-")
    return rename(name, new) == 0 ? new : name
  }

  /// Runs the editor through the shell, because the variable may contain arguments. Waits outside Swift's cooperative
  /// thread pool.
  private func run(_ editor: String, on path: String) async throws(ExternalEditorError) {
    running.withLock { $0[path] = 0 }
    let status = await withCheckedContinuation { (continuation: CheckedContinuation<Int32?, Never>) in
      DispatchQueue.global().async(group: waits) { [self] in
        // After a hangup an editor saves its contents; if it kept running, it would share its terminal with a shell.
        let words = ["-c", "\(editor) \"$1\"", "sh", path]
        let process = try? ChildProcess.start("/bin/sh", words, endingWithThreadBy: SIGHUP)
        if let process { running.withLock { $0[path] = process } }
        let status = process.map { ChildProcess.wait(for: $0) }
        running.withLock { $0[path] = nil }
        continuation.resume(returning: status)
      }
    }
    guard let status, status != 127 else { throw .notStarted(editor) }
    guard status == 0 else { throw .failed(editor, status: status) }
  }
}
