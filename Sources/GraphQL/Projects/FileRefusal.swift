import ApusPlatform
import ApusSecrets

/// Why a file that a project names, or that a search found, is not read or written.
package struct FileRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    case missing
    /// The path, or the link at it, leads out of the folder.
    case outside(String)
    /// A search does not follow it.
    case linkToFolder
    /// A folder, pipe, device or socket.
    case notRegular
    case tooLarge(limit: Int)
    case ofAnotherUser
    case writableByEveryone
    case nameNotUTF8
    /// A search looked at this many files and folders.
    case tooMany(limit: Int)
    /// A list of patterns has more alternatives than are read.
    case tooManyAlternatives
    case unreadable(code: Int32)
    case unwritable(String)
  }

  /// The file as it was named.
  package let path: String
  package let reason: Reason

  package init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// One line without control characters: which file, why, and what to do.
  package var description: String { visible("\(path): \(explanation)") }

  /// Why, and what to do.
  package var explanation: String {
    switch reason {
    case .missing: "there is no such file: correct its name"
    case .outside(let folder):
      "it is outside \(folder) and is not used: copy it there, or name it on the command line"
    case .linkToFolder: "it is a link to a folder, which is not followed: name the folder that it leads to"
    case .notRegular: "this is not a file but a folder, a pipe or a device: name a regular file"
    case .tooLarge(let limit):
      "it is larger than \(limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit >> 10) KiB"): name a smaller file"
    case .ofAnotherUser: "it belongs to another user and is not used: copy it, or make it your own with chown"
    case .writableByEveryone: "it can be written by every user and is not used: run chmod o-w on it"
    case .nameNotUTF8: "its name is not UTF-8: rename it"
    case .tooMany(let limit):
      "the search ends after \(limit) files and folders: name smaller folders, or more of each path"
    case .tooManyAlternatives: "the patterns have too many alternatives: write * in place of some"
    case .unreadable(let code): "the file cannot be read: \(String(cString: strerror(code)))"
    case .unwritable(let message): message
    }
  }
}
