import Foundation

/// Resource usage of a process, from Linux's process list.
package struct ProcessFacts: Sendable, Equatable {
  /// The private memory in bytes.
  package let memory: Int
  package let descriptorCount: Int
  package let threadCount: Int

  /// Returns nil if the process does not exist or the system does not report it.
  package init?(_ process: pid_t) {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
    else { return nil }
    var numbers: [Substring: Int] = [:]
    for line in status.split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == ":" || $0 == "\t" || $0 == " " })
      if words.count > 1, let number = Int(words[1]) { numbers[words[0]] = number }
    }
    guard let memory = numbers["RssAnon"], let threads = numbers["Threads"] else { return nil }
    self.memory = memory << 10
    descriptorCount = descriptors.count
    threadCount = threads
  }

  /// Returns the running processes of a session.
  package static func session(_ leader: pid_t) -> [pid_t] {
    all.filter { process in
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let name = text.lastIndex(of: ")")
      else { return false }
      // state, parent, group, session
      let words = text[text.index(after: name)...].split(separator: " ")
      return words.count > 3 && words[0] != "Z" && pid_t(words[3]) == leader
    }
  }

  /// Returns the other processes whose environment contains a setting.
  package static func having(setting: String) -> [pid_t] {
    let requested = Data(setting.utf8)
    return all.filter { process in
      guard process != getpid() else { return false }
      let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ") ?? Data()
      return environment.range(of: requested) != nil
    }
  }

  private static var all: [pid_t] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
  }
}
