/// Names of the environment variables that replace secrets.
package enum EnvironmentName {
  /// Returns the name for a header field: `X_API_KEY` for `X-Api-Key`.
  package static func of(field: String) -> String {
    let name = String(field.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return name.first?.isNumber ?? true ? "_\(name)" : name
  }

  /// Returns the name for a variable or for the path of a member: `INPUT_NEW_PASSWORD` for `input.newPassword`.
  package static func of(path: [String]) -> String {
    var name = ""
    for character in path.joined(separator: "_") {
      if character.isUppercase, name.last?.isLowercase == true { name.append("_") }
      name.append(character)
    }
    return of(field: path.isEmpty ? "secret" : name)
  }
}
