import ApusClientAPI
import ApusSecrets

/// A request to export or one that was imported: the content of a tab's editors and its URL.
package struct PortableRequest: Equatable, Sendable {
  package struct Header: Equatable, Sendable {
    package var name: String
    /// The value. References to environment variables and commands are expanded if the user typed them; imported values
    /// are literal.
    package var value: SecretText

    package init(name: String, value: SecretText) {
      self.name = name
      self.value = value
    }
  }

  package var url: String
  package var headers: [Header]
  package var query: String
  package var variables: String
  package var operationName: String?
  /// The request's `extensions` as JSON; empty if there are none.
  package var extensions = ""
  package var options = RunOptions()
  /// Nil for the default policy.
  package var cachePolicy: CachePolicy?
  /// The features of the imported text that Apus does not support, quoted from that text.
  package var leftOut: [String]

  package init(
    url: String, headers: [Header], query: String, variables: String, operationName: String? = nil,
    cachePolicy: CachePolicy? = nil, leftOut: [String] = []
  ) {
    self.url = url
    self.headers = headers
    self.query = query
    self.variables = variables
    self.operationName = operationName
    self.cachePolicy = cachePolicy
    self.leftOut = leftOut
  }
}

/// A request from a file of another program.
package struct ImportedRequest: Equatable, Sendable {
  /// The folders and the name of the request, such as "Birds / all"; empty for a single pasted request.
  package var title: String
  package var request: PortableRequest

  package init(title: String, request: PortableRequest) {
    self.title = title
    self.request = request
  }
}

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

  package init(text: String, variables: [String] = []) {
    self.text = text
    self.variables = variables
  }
}
