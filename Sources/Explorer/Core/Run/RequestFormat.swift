import ApusClientRequests

/// The result of reading a pasted text or file to import.
package enum ImportResult: Equatable, Sendable {
  /// At least one request, and the items of the file that cannot be imported, each with its location.
  case found([ImportedRequest], leftOut: [String])
  case failed(String)
}

/// A text format for exporting a request.
package enum RequestFormat: Equatable, Sendable {
  case curlCommand, httpFile, apusCommand
}

/// An exported request, and the environment variables that it refers to.
package struct WrittenRequest: Equatable, Sendable {
  package var text: String
  package var variables: [String]
  /// The variables whose values are inserted into JSON text, which needs escapes.
  package var variablesInJSON: [String]

  package init(text: String, variables: [String] = [], variablesInJSON: [String] = []) {
    self.text = text
    self.variables = variables
    self.variablesInJSON = variablesInJSON
  }

  /// The variables to set before the text is used; `nil` if there are none.
  package var advice: String? {
    guard !variables.isEmpty else { return nil }
    let advice = "set \(variables.joined(separator: ", ")) before you run it"
    guard !variablesInJSON.isEmpty else { return advice }
    return advice + #"; in \#(variablesInJSON.joined(separator: ", ")), write \" for " and \\ for \, as in JSON"#
  }
}
