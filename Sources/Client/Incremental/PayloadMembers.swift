import ApusJSON

/// The members of a payload, or of an entry in one, in both formats, found in one walk. Of several with one name the last
/// counts. Null means absent, but for `data` and `items`, whose null means that the fragment or stream failed.
struct PayloadMembers {
  var data: JSONValue?
  var errors: JSONValue?
  var extensions: JSONValue?
  var hasNext: JSONValue?
  var pending: JSONValue?
  var incremental: JSONValue?
  var completed: JSONValue?
  var id: JSONValue?
  var path: JSONValue?
  var subPath: JSONValue?
  var label: JSONValue?
  var items: JSONValue?

  init(_ json: JSONValue) {
    for (name, value) in json.members {
      switch name {
      case "data": data = value
      case "errors": errors = value.present
      case "extensions": extensions = value.present
      case "hasNext": hasNext = value.present
      case "pending": pending = value.present
      case "incremental": incremental = value.present
      case "completed": completed = value.present
      case "id": id = value.present
      case "path": path = value.present
      case "subPath": subPath = value.present
      case "label": label = value.present
      case "items": items = value
      default: break
      }
    }
  }

  /// The label; servers that write every member write an empty one for a fragment that has none.
  var labelText: String? { label?.string.flatMap { $0.isEmpty ? nil : $0 } }

  /// The data of an entry.
  enum Content {
    case object(JSONValue)
    /// Items of a list; the value is not checked.
    case items(JSONValue)
    /// Null in place of a fragment's data, or of an item.
    case nullData
    /// Null in place of a list's items.
    case nullItems
  }

  var content: Content {
    let hasData = data?.present != nil
    if let items = items?.present, !(hasData && items.kind == .array && items.count == 0) { return .items(items) }
    if let data, hasData { return .object(data) }
    return items == nil ? .nullData : .nullItems
  }

  /// Whether the payload lists entries.
  private var hasEntries: Bool { incremental != nil || pending != nil || completed != nil }

  /// Whether a later payload is an entry itself, as in an older variant of the 2022 format.
  var isEntry: Bool {
    if data?.present != nil || items?.present != nil { return true }
    guard data != nil || items != nil, !hasEntries else { return false }
    return path != nil || label != nil || errors != nil
  }

  /// Whether a payload only repeats that nothing more comes.
  var isBareEnd: Bool {
    !hasEntries && hasNext?.bool != true && data?.present == nil && items?.present == nil && errors == nil
  }

  /// Whether a payload of a subscription is the next event, and not the continuation of the one before.
  var isEvent: Bool {
    guard path == nil, label == nil, !hasEntries else { return false }
    return data?.present != nil || errors != nil && hasNext == nil
  }
}
