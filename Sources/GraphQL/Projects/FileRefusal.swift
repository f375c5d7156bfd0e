import ApusPlatform
import ApusSecrets

/// The reason why a file that a project names or a search found is not read or written.
package struct FileRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    case missing
    /// The path, or its symbolic link, leads out of the folder.
    case outside(String)
    /// A search does not follow it.
    case linkToFolder
    /// A folder, pipe, device or socket.
    case notRegular
    case tooLarge(limit: Int)
    case ofAnotherUser
    case writableByEveryone
    case nameNotUTF8
    /// The search reached the limit of files and folders.
    case tooMany(limit: Int)
    /// A list of patterns has too many alternatives.
    case tooManyAlternatives
    /// The patterns of a search are too complex together.
    case tooMuchWork
    case unreadable(code: Int32)
    case unwritable(String)
  }

  /// The path as given.
  package let path: String
  package let reason: Reason

  package init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// Whether the refusal is about the whole search instead of one file.
  package var isOfSearch: Bool {
    switch reason {
    case .tooMany, .tooManyAlternatives, .tooMuchWork: true
    case .missing, .outside, .linkToFolder, .notRegular, .tooLarge, .ofAnotherUser, .writableByEveryone, .nameNotUTF8,
      .unreadable, .unwritable:
      false
    }
  }

  /// Whether a file that belongs to the project cannot be read.
  package var isOfContent: Bool {
    switch reason {
    case .notRegular, .tooLarge, .nameNotUTF8, .unreadable: true
    case .missing, .outside, .linkToFolder, .ofAnotherUser, .writableByEveryone, .tooMany, .tooManyAlternatives,
      .tooMuchWork, .unwritable:
      false
    }
  }

  /// The message in one line without control characters: the file, the reason, and the advice.
  package var description: String { visible("\(path): \(explanation)") }

  /// The reason and the advice.
  package var explanation: String {
    switch reason {
    case .missing: "No such file or directory"
    case .outside(let folder):
      "it is outside \(folder) and is not used: copy it there, or name it on the command line"
    case .linkToFolder: "links to folders are not followed: name the folder itself"
    case .notRegular: "it is not a regular file"
    case .tooLarge(let limit):
      "it is larger than \(limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit >> 10) KiB"): name a smaller file"
    case .ofAnotherUser: "it belongs to another user and is not used: copy it or change its owner"
    case .writableByEveryone: "it is world-writable and is not used: run chmod o-w on it"
    case .nameNotUTF8: "its name is not UTF-8: rename it"
    case .tooMany(let limit):
      "the search ended after \(limit) files and folders: use more specific patterns"
    case .tooManyAlternatives: "the patterns have too many alternatives: replace some by *"
    case .tooMuchWork: "the patterns take too much work: use fewer * in this one and others like it"
    case .unreadable(let code): "the file cannot be read: \(String(cString: strerror(code)))"
    case .unwritable(let message): message
    }
  }
}
