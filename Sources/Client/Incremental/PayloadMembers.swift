import ApusJSON

/// What a payload has, or an item in it: the members of both formats, found in one walk. Of several with one name the last
/// counts.
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
      case "errors": errors = value
      case "extensions": extensions = value
      case "hasNext": hasNext = value
      case "pending": pending = value
      case "incremental": incremental = value
      case "completed": completed = value
      case "id": id = value
      case "path": path = value
      case "subPath": subPath = value
      case "label": label = value
      case "items": items = value
      default: break
      }
    }
  }
}
