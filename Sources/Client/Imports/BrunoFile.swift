import ApusClientRequests
import ApusJSON

/// Import of Bruno's files, one per request: `Birds/all.bru`, `collection.bru`, `folder.bru`, `environments/local.bru`.
///
/// Source: the Bru markup language, version 2.
extension ImportedCollection {
  /// Reads a file.
  ///
  /// - Parameter path: The path relative to the collection's directory. `collection.bru` and `folder.bru` must be read
  ///   before the files in their directories.
  mutating func readBruno(_ file: BrunoFile, path: String) {
    var folders = path.split(separator: "/").map(String.init)
    let fileName = folders.removeLast()
    let name = fileName.lastIndex(of: ".").map { String(fileName[..<$0]) } ?? fileName
    if folders.last == "environments" {
      environments.append(Environment(name: name, values: file.values))
      return
    }
    let title = file.first("meta")?["name"] ?? name
    let place = ImportedRequest.title(folders, title)
    noteBlocks(of: file, at: place)
    if ["collection", "folder"].contains(name), file.method == nil {
      // These settings apply to all requests in the folder and are looked up by its path.
      inheritedBruno[folders.joined(separator: "/")] = file
      values += file.values
      return
    }
    guard let method = file.method, let settings = file.first(method) else {
      skip(place, "it is not a request")
      return
    }
    let holders =
      [file]
      + (0...folders.count).reversed().compactMap { count in
        inheritedBruno[folders.prefix(count).joined(separator: "/")]
      }
    var given = ImportedHeaders()
    for holder in holders.reversed() {
      for (name, value) in holder.pairs("headers").prefix(ImportedHeaders.limit) { given.set(name, value) }
    }
    var headers = given.all
    var kind = settings["auth"] ?? "inherit"
    var holder = file
    if kind == "inherit" {
      kind = "none"
      if let found = holders.dropFirst().first(where: { $0.first("auth")?["mode"].map { $0 != "inherit" } ?? false }) {
        holder = found
        kind = found.first("auth")?["mode"] ?? "none"
      }
    }
    let authentication = holder.first("auth:\(kind)") ?? [:]
    if let header = header(ofAuthentication: kind, at: place, { authentication[$0] }) { headers.append(header) }
    // The variables of a request apply only to this request.
    let values = ImportedValues(file.values)
    func filled(_ text: String, isInJSON: Bool = false) -> String {
      ImportTemplate(text).rendered(from: values, isInJSON: isInJSON)
    }
    var request = ImportedHTTPRequest(
      url: filled(PathVariables.filled(settings["url"] ?? "", file.pairs("params:path"))))
    request.folders = folders
    request.name = title
    request.notes = file.text("docs") ?? ""
    request.headers = headers.map { header in
      var header = header
      header.value = filled(header.value)
      return header
    }
    if let query = file.text("body:graphql") {
      let variables = filled(file.text("body:graphql:vars") ?? "", isInJSON: true)
      add(RequestDraft(query: filled(query), variables: variables), of: request)
    } else {
      request.body = filled(file.text("body:json") ?? file.text("body:text") ?? "", isInJSON: true)
      if request.body.isEmpty {
        let fields = (file.pairs("body:form-urlencoded") + file.pairs("body:multipart-form")).map { name, value in
          (name: name, value: Self.formValue(filled(value)))
        }
        if !fields.isEmpty { request.body = MultipartForm(fields).body(&request.leftOut) }
      }
      add(request)
    }
  }

  /// Returns the value of a form field, which can be the path of a file: `@file(a.png)`.
  private static func formValue(_ text: String) -> MultipartForm.Value {
    guard text.hasPrefix("@file("), let end = text.lastIndex(of: ")") else { return .text(text) }
    return .file(String(text[..<end].dropFirst("@file(".count).prefix { $0 != "|" }))
  }

  private mutating func noteBlocks(of file: BrunoFile, at place: String) {
    let understood = ["meta", "headers", "auth", "body", "vars", "docs", "query", "params", "settings"]
    for name in file.blocks.map(\.name) where name != file.method {
      let kind = name.prefix { $0 != ":" }
      if name == "vars:post-response" || !understood.contains(String(kind)) {
        leftOut.append("\(place): \(kind == "script" ? "a script" : "a block") (\(name))")
      }
    }
  }
}

/// The blocks of a Bruno file: `name {`, lines, and `}` at the start of a line.
///
///     body:graphql {
///       { birds { name } }
///     }
package struct BrunoFile: Sendable {
  struct Block: Sendable {
    let name: String
    /// Lines without their indentation of two spaces.
    let lines: [String]
  }

  private(set) var blocks: [Block] = []
  /// Names and values in each block that has some. If several blocks have the same name, the first one is used.
  private var pairsOfBlock: [String: [(name: String, value: String)]] = [:]

  init(_ blocks: [(name: String, lines: [String], pairs: [(name: String, value: String)])]) {
    self.blocks = blocks.map { Block(name: $0.name, lines: $0.lines) }
    for block in blocks where !block.pairs.isEmpty { pairsOfBlock[block.name] = block.pairs }
  }

  init(_ text: String) {
    var name: String?
    var lines: [String] = []
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if let open = name {
        if line == "}" || line == "]" {
          blocks.append(Block(name: open, lines: lines))
          name = nil
        } else {
          lines.append(String(line.hasPrefix("  ") ? line.dropFirst(2) : line))
        }
      } else if line.last == "{" || line.last == "[", line.first?.isLetter == true {
        name = String(line.dropLast().prefix { $0 != " " })
        lines = []
      }
    }
    let forms = ["body:form-urlencoded", "body:multipart-form"]
    for block in blocks
    where pairsOfBlock[block.name] == nil && (!block.name.hasPrefix("body:") || forms.contains(block.name)) {
      pairsOfBlock[block.name] = Self.pairs(in: block.lines)
    }
  }

  static let methods: Set<String> = ["get", "post", "put", "delete", "patch", "options", "head", "connect", "trace"]

  var method: String? { blocks.first { Self.methods.contains($0.name) }?.name }

  func text(_ name: String) -> String? {
    blocks.first { $0.name == name }.map { $0.lines.joined(separator: "\n") }
  }

  /// Returns the enabled names and values in a block. Lines that start with `~` are disabled.
  func pairs(_ name: String) -> [(name: String, value: String)] { pairsOfBlock[name] ?? [] }

  private static func pairs(in block: [String]) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    var lines = block[...]
    while let line = lines.popFirst() {
      let trimmed = line.drop { $0 == " " }
      guard !trimmed.hasPrefix("~") else { continue }
      var key: Substring = ""
      var rest = trimmed
      if trimmed.hasPrefix("\""), let close = trimmed.dropFirst().firstIndex(of: "\"") {
        key = trimmed[trimmed.index(after: trimmed.startIndex)..<close]
        rest = trimmed[trimmed.index(after: close)...].drop { $0 == " " }
      }
      guard let field = HeaderText(String(rest)), key.isEmpty || field.name.isEmpty else { continue }
      var value = field.value
      if value == "'''" {
        let textLines = lines.prefix { $0.drop { $0 == " " } != "'''" }
        lines = lines.dropFirst(textLines.count + 1)
        value = textLines.map { String($0.drop { $0 == " " }) }.joined(separator: "\n")
      }
      pairs.append((key.isEmpty ? field.name : String(key), value))
    }
    return pairs
  }

  func first(_ name: String) -> [String: String]? {
    guard let pairs = pairsOfBlock[name] else { return nil }
    return Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Variables of the file. Secret ones have no value in it.
  var values: [ImportedCollection.Value] {
    let plain = (pairs("vars") + pairs("vars:pre-request")).map {
      ImportedCollection.Value(name: $0.name, text: $0.value)
    }
    let secret = (text("vars:secret") ?? "").split { $0 == "," || $0 == " " || $0 == "\n" }
      .map { ImportedCollection.Value(name: String($0), text: "", isSecret: true) }
    return plain + secret
  }
}
