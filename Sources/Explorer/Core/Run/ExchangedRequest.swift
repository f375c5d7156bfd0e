import ApusClientAPI
import ApusSecrets

/// A request that is handed on to others, or was taken from them: the texts of a tab, and where they go.
package struct ExchangedRequest: Equatable, Sendable {
  package struct Header: Equatable, Sendable {
    package var name: String
    /// Live where the person wrote it so; what was imported is literal.
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
  /// JSON text; empty for none.
  package var extensions = ""
  /// Nil for the usual one.
  package var cachePolicy: CachePolicy?
  /// What an imported text asks for that is not done here, in the text's own words.
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

/// One of the requests that a file of another program holds.
package struct ImportedRequest: Equatable, Sendable {
  /// Its folders and its name: "Birds / all"; empty for one that was pasted by itself.
  package var title: String
  package var request: ExchangedRequest

  package init(title: String, request: ExchangedRequest) {
    self.title = title
    self.request = request
  }
}

/// What there was to import.
package enum ImportAnswer: Equatable, Sendable {
  /// At least one; and what of the file is not taken over, each with its place.
  case found([ImportedRequest], leftOut: [String])
  case failed(String)
}

/// How a request is written for others.
package enum RequestForm: Equatable, Sendable {
  case curlCommand, httpFile, apusCommand
}

/// A request as text, and the variables that it takes from the environment.
package struct WrittenRequest: Equatable, Sendable {
  package var text: String
  package var variables: [String]

  package init(text: String, variables: [String] = []) {
    self.text = text
    self.variables = variables
  }
}
