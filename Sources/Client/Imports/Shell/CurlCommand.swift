import ApusJSON

/// A curl command in a script.
///
/// Nothing is executed. Files that a command names are read only for a script that the user imports from a file.
struct CurlCommand {
  /// The arguments, which can contain variables.
  let words: [String]
  /// The arguments with expansions that are not executed. Their source can contain credentials.
  private var unevaluatedWords: [String] = []
  /// The text of the command's standard input, which can contain variables; `nil` if the script does not contain it.
  var input: String?
  /// The file that is the command's standard input.
  var inputFile: String?

  init(words: [String]) { self.words = words }

  /// Creates the curl command of a shell command, without prefixes such as `env` and `sudo`. Returns `nil` for other
  /// commands.
  init?(_ command: ShellCommand, after previous: ShellCommand?) {
    var words = command.words[...]
    while let name = words.first?.bytes.map({ String(decoding: $0, as: UTF8.self) }), Self.wrappers.contains(name) {
      words = words.dropFirst().drop { $0.bytes?.first == UInt8(ascii: "-") }
    }
    guard let program = words.first?.bytes, Self.isCurl(String(decoding: program, as: UTF8.self)) else { return nil }
    self.words = words.dropFirst().map(\.template)
    unevaluatedWords = words.filter { !$0.unevaluated.isEmpty }.map(\.template)
    switch command.input {
    case .text(let text): input = text.template
    case .file(let name): inputFile = name.template
    case nil: input = command.readsPipe ? previous?.plainOutput?.template : nil
    }
  }

  private static let wrappers: Set<String> = ["env", "sudo", "time", "command", "exec", "nohup", "builtin"]

  /// Returns whether a word is the name of curl: `curl`, `/usr/bin/curl`, `curl.exe`.
  static func isCurl(_ word: String) -> Bool {
    let name = word.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.last.map { String($0) ?? "" }
    return ["curl", "curl.exe"].contains(name?.lowercased() ?? "")
  }

  /// Returns the requests of the command, which are separated by `--next`.
  func requests(_ files: AdjacentFiles) -> [ImportedHTTPRequest] {
    words.split { $0 == "--next" || $0 == "-:" }.map { words in
      let options = CurlOptions(Array(words))
      return request(to: options.url ?? "", options, files)
    }
  }

  private func request(to url: String, _ options: CurlOptions, _ files: AdjacentFiles) -> ImportedHTTPRequest {
    var request = ImportedHTTPRequest(url: url)
    request.leftOut = options.leftOut
    request.headers = options.headers.map { name, value in
      .init(name: name, value: value, isAuthentication: isUnevaluated(value))
    }
    addAuthentication(options, to: &request)
    if !options.cookies.isEmpty {
      request.headers.append(.init(name: "Cookie", value: options.cookies.joined(separator: "; ")))
    }
    func texts(_ pieces: [CurlOptions.Piece]) -> [String] {
      pieces.compactMap { text(of: $0, files, &request.leftOut) }
    }
    let data = texts(options.data)
    request.url = Self.url(url, adding: texts(options.query) + (options.sendsDataInURL ? data : []))
    request.body = options.sendsDataInURL ? "" : data.joined(separator: options.isJSON ? "" : "&")
    if !options.form.isEmpty {
      let form = options.form.compactMap { part -> (name: String, value: MultipartForm.Value)? in
        switch part.value {
        case .upload(let path): return (part.name, .file(path))
        case .piece(let piece): return text(of: piece, files, &request.leftOut).map { (part.name, .text($0)) }
        }
      }
      request.body = MultipartForm(form).body(&request.leftOut)
    }
    let isGet = options.sendsDataInURL || options.method == "GET" || options.data.isEmpty && options.form.isEmpty
    request.method = options.method ?? (isGet ? "GET" : "POST")
    return request
  }

  /// Whether a header value may have an expansion that is not executed. Compares it with a limited number of words.
  private func isUnevaluated(_ value: String) -> Bool {
    if value.isEmpty { return false }
    return unevaluatedWords.count > 100
      ? value.contains("$") || value.contains("`") : unevaluatedWords.contains { $0.hasSuffix(value) }
  }

  /// Adds the header for `-u`. Like curl, it prefers an explicit header.
  private func addAuthentication(_ options: CurlOptions, to request: inout ImportedHTTPRequest) {
    guard let user = options.user else { return }
    guard !request.headers.contains(where: { $0.name.lowercased() == "authorization" }) else {
      request.leftOut.append(CurlOptionNames.message("-u", "the Authorization header is sent instead"))
      return
    }
    if !user.contains(":"), !user.contains("{{") {
      request.leftOut.append(
        "curl option -u has no password, for which curl prompts: add it to the imported credentials")
    }
    request.headers.append(.basic(user))
  }

  /// Returns the text of a piece of data. If its file is not read, records this and returns `nil`.
  private func text(
    of piece: CurlOptions.Piece, _ files: AdjacentFiles, _ leftOut: inout [String]
  ) -> String? {
    let source = piece.source
    guard piece.isFile else { return piece.finished(source) }
    if source == "-", inputFile == nil {
      guard let input else {
        leftOut.append(CurlOptionNames.message("\(piece.option)-", "standard input is not in the script"))
        return nil
      }
      return piece.finished(input)
    }
    switch files.read(source == "-" ? inputFile ?? "" : source) {
    case .text(let text): return piece.finished(text)
    case .refused(let reason):
      leftOut.append(CurlOptionNames.message("\(piece.option)\(source == "-" ? inputFile ?? "" : source)", reason))
      return nil
    }
  }

  private static func url(_ url: String, adding fields: [String]) -> String {
    guard !fields.isEmpty else { return url }
    let fragment = url.firstIndex(of: "#") ?? url.endIndex
    return url[..<fragment] + (url[..<fragment].contains("?") ? "&" : "?") + fields.joined(separator: "&")
      + url[fragment...]
  }
}

extension ImportedCollection {
  /// Reads the curl commands of a shell script, and the variables that it assigns.
  mutating func readShell(_ script: ShellScript, _ files: AdjacentFiles) {
    var previous: ShellCommand?
    var others: [String] = []
    for command in script.commands {
      readFiles(of: command.assignments.map(\.value) + command.words, files)
      for (name, value) in command.assignments {
        fileValues.add([Value(name: name, text: value.template)])
        noteUnevaluated(value, of: "\(name)=")
      }
      if let curl = CurlCommand(command, after: previous) {
        add(curl, files)
        for word in command.words { noteUnevaluated(word, of: "request \(requestNumber)") }
        if command.words.contains(where: \.hasLatin1) {
          leftOut.append("request \(requestNumber): bytes that are not UTF-8 were read as Latin-1")
        }
      } else if let httpie = httpie(command, after: previous) {
        add(httpie.request)
      } else if let name = command.words.first?.template, command.plainOutput == nil {
        if Self.otherClients.contains(name) {
          skip("request \(nextRequestNumber())", "the command '\(name)' is not supported; write it as a curl command")
        } else if !Self.builtInCommands.contains(name) {
          others.append(name)
        }
      }
      previous = command
    }
    let names = Set(others).sorted().prefix(20)
    if !names.isEmpty { leftOut.append("commands other than curl: \(names.joined(separator: ", "))") }
  }

  /// Reads the files whose contents the words have: `$(cat query.graphql)`.
  private mutating func readFiles(of words: [ShellWord], _ files: AdjacentFiles) {
    for case .variable(let variable) in words.flatMap(\.parts) where variable.hasPrefix(ShellScript.filePrefix) {
      guard fileValues.shown(variable) == nil else { continue }
      let name = String(variable.dropFirst(ShellScript.filePrefix.count))
      switch files.read(name) {
      case .text(var text):
        // A substitution removes trailing line ends.
        while text.last?.isNewline == true { text.removeLast() }
        fileValues.add([Value(name: variable, text: text)])
      case .refused(let reason): leftOut.append("the file \(name) was not read: \(reason)")
      }
    }
  }

  mutating func add(_ curl: CurlCommand, _ files: AdjacentFiles) {
    let requests = curl.requests(files)
    if requests.isEmpty { skip("request \(nextRequestNumber())", "a curl command without a URL") }
    for request in requests {
      guard request.url.isEmpty else {
        add(request)
        continue
      }
      let place = "request \(nextRequestNumber())"
      leftOut += request.leftOut.map { "\(place): \($0)" }
      skip(place, "a curl command without a URL")
    }
  }

  /// Returns the HTTPie command of a shell command, with the text of its standard input if the script has it.
  private func httpie(_ command: ShellCommand, after previous: ShellCommand?) -> HTTPieCommand? {
    guard let name = command.words.first?.template, HTTPieCommand.names.contains(name), command.words.count > 1 else {
      return nil
    }
    var input: String?
    switch command.input {
    case .text(let text): input = text.template
    case .file: break
    case nil: input = command.readsPipe ? previous?.plainOutput?.template : nil
    }
    return HTTPieCommand(program: name, command.words.dropFirst().map(\.template), input: input)
  }

  /// Programs that send HTTP requests and are not read.
  private static let otherClients: Set<String> = ["wget", "curlie"]

  /// Commands that only set variables.
  private static let builtInCommands: Set<String> = ["export", "declare", "local", "readonly", "typeset", "set"]

  private mutating func noteUnevaluated(_ word: ShellWord, of place: String) {
    for source in word.unevaluated.prefix(5) { leftOut.append("\(place): \(Self.shown(source)) is not evaluated") }
  }

  /// Returns the start of an expansion: `$(id -u)`, `$(curl …)`. Its arguments can contain secrets.
  private static func shown(_ source: String) -> String {
    let words = source.split(separator: " ", omittingEmptySubsequences: true)
    let isPlain = words.count < 3 && words.dropFirst().allSatisfy { $0.hasPrefix("-") && $0.utf8.count < 5 }
    guard !isPlain, let first = words.first, source.hasPrefix("$(") || source.hasPrefix("`") else {
      return String(source.prefix(60))
    }
    return "\(first.prefix(40)) …\(source.hasPrefix("`") ? "`" : ")")"
  }
}
