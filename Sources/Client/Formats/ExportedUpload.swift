import ApusClientRequestChain
import ApusClientRequests
import ApusJSON

/// The files of a request as parts of a form, by the GraphQL multipart request specification.
struct ExportedUpload {
  /// The name of the file's part: its number.
  let name: String
  let path: String
  let fileName: String
  let contentType: String

  static func all(of draft: RequestDraft) -> [ExportedUpload] {
    draft.uploads.enumerated().map { index, upload in
      let fileName = upload.path.split(separator: "/").last.map(String.init) ?? upload.path
      let file = GraphQLFile(variablePath: upload.variablePath, name: fileName, content: .bytes([]))
      return ExportedUpload(
        name: String(index), path: upload.path, fileName: fileName, contentType: file.contentType)
    }
  }

  /// The value of curl's `-F` for the file: `0=@"bird.png";type=image/png`.
  var curlField: String { "\(name)=@\(Self.quoted(path));type=\(contentType)" }

  /// Returns text in the quotes of curl's `-F`.
  static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// The lines of the file's part in an HTTP file, without the boundary.
  var lines: [String] {
    [
      "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName.replacing("\"", with: "%22"))\"",
      "Content-Type: \(contentType)", "", "< \(path)",
    ]
  }

}

extension ExportedRequest {
  var map: JSONValue { MultipartRequestBody.map(of: draft.uploads.map(\.variablePath)) }

  /// The options of curl for the form, and a here-document with the operations if they contain environment variables: these
  /// may have a semicolon, where a value of `-F` ends, and a field of `--form-string` has no type.
  var curlForm: (options: [String], input: String) {
    let operations = JSONWriter.compact(body)
    let input = hereDocument(operations)
    let texts = [("operations", input.isEmpty ? operations : "<-"), ("map", JSONWriter.compact(map))]
    let fields = texts.map { name, text in
      let value = text.contains(";") ? ExportedUpload.quoted(text) : text
      return "-F \(ShellWords.quoted("\(name)=\(value);type=application/json"))"
    }
    return (fields + ExportedUpload.all(of: draft).map { "-F \(ShellWords.quoted($0.curlField))" }, input)
  }

  /// The form of an HTTP file, whose boundary is not in it.
  func httpForm(boundary: String) -> String {
    var lines: [String] = []
    for (name, json) in [("operations", body), ("map", map)] {
      lines += [
        "--\(boundary)", "Content-Disposition: form-data; name=\"\(name)\"", "Content-Type: application/json", "",
        templateText(JSONWriter.compact(json)),
      ]
    }
    for upload in ExportedUpload.all(of: draft) { lines += ["--\(boundary)"] + upload.lines }
    return (lines + ["--\(boundary)--"]).joined(separator: "\n") + "\n"
  }

  /// A boundary that the JSON of the form does not contain. A file is unlikely to contain it.
  var boundary: String {
    let text = JSONWriter.compact(body)
    var boundary = "apus-form"
    while text.contains(boundary) { boundary += "-" }
    return boundary
  }
}
