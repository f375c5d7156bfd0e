import ApusClientAPI
import ApusJSON

/// The members of a payload or entry in either format, found in one pass. The last of several members with one name
/// counts. Null means absent, except that null `data` or `items` mean that the fragment or stream failed.
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

  /// The label. Some servers send an empty label for a fragment without one.
  var labelText: String? { label?.string.flatMap { $0.isEmpty ? nil : $0 } }

  /// The data of an entry.
  enum Content {
    /// An object, a list item, or the value of a single field.
    case data(JSONValue)
    /// List items; the value is not validated.
    case items(JSONValue)
    /// Null instead of a fragment's data or a single item.
    case nullData
    /// Null instead of a list's items.
    case nullItems
  }

  var content: Content {
    let hasData = data?.present != nil
    if let items = items?.present, !(hasData && items.kind == .array && items.count == 0) { return .items(items) }
    if let data, hasData { return .data(data) }
    return items == nil ? .nullData : .nullItems
  }

  /// The payload without `data` that is neither an object nor null beside errors, as PHP servers write an empty list.
  /// The errors are the result then. The entry of a list item or field may have any data.
  var withoutReplacedData: PayloadMembers {
    guard let data, data.kind != .object, !data.isNull, path == nil, id == nil, !GraphQLError.list(errors).isEmpty
    else {
      return self
    }
    var rest = self
    rest.data = nil
    return rest
  }

  /// Whether the payload contains entries.
  private var hasEntries: Bool { incremental != nil || pending != nil || completed != nil }

  /// Whether a later payload is itself an entry, as in an older variant of the 2022 format.
  var isEntry: Bool {
    if data?.present != nil || items?.present != nil { return true }
    guard data != nil || items != nil, !hasEntries else { return false }
    return path != nil || label != nil || errors != nil
  }

  /// Whether the payload only repeats that the result is complete.
  var isBareEnd: Bool {
    !hasEntries && hasNext?.bool != true && data?.present == nil && items?.present == nil && errors == nil
  }

  /// Whether a payload of a subscription is the next event rather than a continuation of the current result.
  var isEvent: Bool {
    guard path == nil, label == nil, !hasEntries else { return false }
    return data?.present != nil || errors != nil && hasNext == nil
  }
}
