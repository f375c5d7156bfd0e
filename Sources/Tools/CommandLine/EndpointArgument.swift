import ApusGraphQLValidation

/// Interprets an argument that names an endpoint: a URL or a profile.
enum EndpointArgument {
  /// Returns the arguments with endpoints completed to URLs: `localhost:4000/graphql` needs no scheme.
  static func complete(_ arguments: ParsedArguments) throws(CommandError) -> ParsedArguments {
    var completed = arguments
    for (index, operand) in arguments.command.operands.enumerated()
    where operand.names == .profiles && index < arguments.operands.count {
      let word = arguments.operands[index]
      let url = try complete(word, arguments.command)
      if arguments.command.name == "explore", !url.contains("://"),
        case let endpoints = try NamedEndpoints(),
        !endpoints.has(word)
      {
        throw MisplacedArgument.opensNothing(word, endpoints)
      }
      completed = completed.with(operand: url, at: index)
    }
    return completed
  }

  /// Returns the URL that a word abbreviates, or the word itself if it is a name.
  static func complete(_ word: String, _ command: CommandDescription) throws(CommandError) -> String {
    if SchemaSource.isFile(word) { return word }
    if let suggestion = correction(of: word) {
      throw .usage(
        "'\(MisplacedArgument.shown(word))' is not a URL; did you mean \(MisplacedArgument.shown(suggestion))?",
        command: command.name)
    }
    guard !word.contains("://") else { return word }
    guard let url = url(word), try !NamedEndpoints().has(word) else { return word }
    return url
  }

  /// Returns the URL of an address without a scheme, with http for this machine and https for others:
  /// `https://birds.example/graphql` for `birds.example/graphql`. `nil` if the word is not an address but, for example,
  /// a profile's name.
  static func url(_ word: String) -> String? {
    let authority = word.prefix { $0 != "/" && $0 != "?" }
    let isBracketed = authority.hasPrefix("[")
    let host = isBracketed ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    let port = authority.dropFirst(host.count)
    let hasPort = port.count > 1 && port.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    guard !host.isEmpty, port.isEmpty || hasPort, host.allSatisfy({ !$0.isWhitespace && $0 != "@" }) else { return nil }
    let isHere = host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "[::1]"
    let hasPath = authority.count < word.count
    guard isHere || isBracketed || hasPort || (hasPath && host.contains(".") && !host.hasPrefix(".")) else {
      return nil
    }
    return "\(isHere ? "http" : "https")://\(word)"
  }

  /// Returns the likely URL for a misspelled scheme or a wrong separator after it: `http://birds.example` for
  /// `htp://birds.example` and `http:/birds.example`.
  private static func correction(of word: String) -> String? {
    let scheme = word.prefix { $0.isASCII && $0.isLetter }
    let signs = word.dropFirst(scheme.count).prefix { $0 == ":" || $0 == "/" }
    guard signs.count > 1, signs != "://" || !schemes.contains(scheme.lowercased()) else { return nil }
    guard let near = NameSuggestions.slip(of: scheme.lowercased(), schemes) else { return nil }
    return "\(near)://\(word.dropFirst(scheme.count + signs.count))"
  }

  private static let schemes = ["http", "https", "ws", "wss"]
}
