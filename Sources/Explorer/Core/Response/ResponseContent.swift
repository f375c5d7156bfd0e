import ApusClientAPI
import ApusJSON

/// The content of a response, as far as features treat responses differently.
///
/// Each feature has an answer for each of these groups: `Docs/Development/Responses.md` lists them.
package enum ResponseContent: Equatable, Sendable {
  /// No payload has arrived, or what arrived is not a GraphQL response.
  case nothing
  /// Errors or extensions without `data`.
  case errors
  /// `data` is null.
  case null
  /// `data` is an object.
  case data
}

extension ResponseTree {
  package var content: ResponseContent {
    guard let data else { return errors.isEmpty && extensions == nil ? .nothing : .errors }
    return data.isNull ? .null : .data
  }

  /// The complete response (GraphQL, section 7.1). The data alone is misleading without its errors.
  var complete: VisibleJSON { VisibleJSON(response: data, errors, extensions, hidden: hidden) }
}

extension VisibleJSON {
  /// Creates a response from its parts; a part that did not arrive is omitted.
  init(response data: JSONValue?, _ errors: [GraphQLError], _ extensions: JSONValue?, hidden: HiddenFields?) {
    var members: [(String, JSONValue)] = []
    if let data { members.append(("data", data)) }
    if !errors.isEmpty { members.append(("errors", .array(errors.map(\.json)))) }
    if let extensions { members.append(("extensions", extensions)) }
    self.init(.object(members), without: hidden.map { HiddenFields(children: ["data": $0]) })
  }
}

extension ResponseFeature {
  package var content: ResponseContent { tree.content }

  var reasonAgainstReading: String? { content == .nothing ? "There is no response" : nil }

  /// The reason against features that only data has. Raw JSON is text, whatever the response contains.
  var reasonAgainstData: String? {
    switch content {
    case .nothing: "There is no response"
    case .errors, .null: "The response has no data"
    case .data: nil
    }
  }

  var reasonAgainstSearching: String? {
    switch view {
    case .events, .text: reasonAgainstReading
    case .tree, .table: reasonAgainstData
    }
  }

  /// Shows the tree if the response has nothing that another view or a filter could show.
  mutating func leaveViewsWithoutContent() {
    if content != .data { reading.filter.result = nil }
    switch view {
    case .tree, .events: break
    case .table: if content != .data { reading.view = .tree }
    case .text: if content == .nothing { reading.view = .tree }
    }
  }

  /// The newest content, whichever payload is shown.
  var newest: ResponseTree.Content {
    guard payloads.isInPast, let result = payloads.newest else { return tree.shownContent }
    return ResponseTree.Content(result)
  }
}

extension ResponseTree.Content {
  init(_ result: RunResult, changedPaths: [ResponsePath]? = []) {
    self.init(
      data: result.data, errors: result.errors, extensions: result.extensions, fragments: result.fragments,
      streams: result.streams, changedPaths: changedPaths, missing: result.missing)
  }
}
