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

  /// The variables whose values are inserted into a string of the document, which is itself a string of JSON.
  package var variablesInDocument: [String]

  package init(
    text: String, variables: [String] = [], variablesInJSON: [String] = [], variablesInDocument: [String] = []
  ) {
    self.text = text
    self.variables = variables
    self.variablesInJSON = variablesInJSON
    self.variablesInDocument = variablesInDocument
  }

  /// The variables to set before the text is used; `nil` if there are none.
  package var advice: String? {
    guard !variables.isEmpty else { return nil }
    var advice = "set \(variables.joined(separator: ", ")) before you run it"
    let once = variablesInJSON.filter { !variablesInDocument.contains($0) }
    if !once.isEmpty { advice += #"; in \#(once.joined(separator: ", ")), write \" for " and \\ for \, as in JSON"# }
    guard !variablesInDocument.isEmpty else { return advice }
    return advice
      + #"; in \#(variablesInDocument.joined(separator: ", ")), write \\\" for " and \\\\ for \, as in a string in JSON"#
  }
}
