/// A filter of the Requests view. A request is shown if it matches each word.
///
/// | word | matches |
/// |---|---|
/// | `birds` | the operation, its type, the client, the method and path, the state, the status, or a reason |
/// | `operation:birds` | the operation |
/// | `client:ios` | the client |
/// | `state:failed` | the state: `running`, `held`, `complete`, `failed`, `canceled` |
/// | `from:10:31`, `to:10:32:30` | requests that arrived at this time of the day or later, or before it |
///
/// Case does not matter, and a part of a word is enough. An incomplete time matches every request.
struct RequestFilter: Equatable, Sendable {
  private enum Condition: Equatable {
    case any(String), operation(String), client(String), state(String)
    /// Seconds since midnight.
    case from(Int), to(Int)
  }

  private let conditions: [Condition]

  init(_ text: String) {
    conditions = text.lowercased().split(separator: " ").compactMap { word in
      guard let colon = word.firstIndex(of: ":") else { return .any(String(word)) }
      let value = String(word[colon...].dropFirst())
      switch word[..<colon] {
      case "operation": return .operation(value)
      case "client": return .client(value)
      case "state": return .state(value)
      case "from": return Self.seconds(value).map { .from($0) }
      case "to": return Self.seconds(value).map { .to($0) }
      default: return .any(String(word))
      }
    }
  }

  var isEmpty: Bool { conditions.isEmpty }

  func matches(_ request: ObservedRequest) -> Bool {
    conditions.allSatisfy { condition in
      switch condition {
      case .any(let word):
        let status = request.status.map(String.init) ?? ""
        let words = [
          request.title, request.client, request.target, request.stateWord, status, request.remark ?? "",
        ]
        return words.contains { $0.lowercased().contains(word) }
      case .operation(let word): return request.operation.lowercased().contains(word)
      case .client(let word): return request.client.lowercased().contains(word)
      case .state(let word): return request.state.name.hasPrefix(word) || request.stateWord.hasPrefix(word)
      case .from(let seconds): return Self.seconds(request.time) >= seconds
      case .to(let seconds): return Self.seconds(request.time) < seconds
      }
    }
  }

  private static func seconds(_ time: ClockTime) -> Int { (time.hour * 60 + time.minute) * 60 + time.second }

  /// Returns the seconds since midnight of "`10:31`" or "`10:31:05`"; `nil` for any other text.
  private static func seconds(_ text: String) -> Int? {
    let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { $0.count == 2 ? Int($0) : nil }
    let parts = numbers.compactMap(\.self)
    guard parts.count == numbers.count, (2...3).contains(parts.count), parts[0] < 24, parts[1] < 60 else { return nil }
    return (parts[0] * 60 + parts[1]) * 60 + (parts.count == 3 ? min(parts[2], 59) : 0)
  }
}
