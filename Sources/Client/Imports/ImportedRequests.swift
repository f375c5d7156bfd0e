import ApusClientFormats
import ApusDigest
import ApusSecrets

/// The requests of a file, from which the user chooses.
package struct ImportedRequests: Sendable {
  package struct Entry: Sendable {
    /// The folders and the name: "Birds / all".
    package var place: String
    package var request: RequestExport
  }

  package private(set) var entries: [Entry] = []
  /// Messages about parts that are not imported, each with its location.
  package private(set) var leftOut: [String]

  /// The messages of `leftOut` without their location, for a file with a single request.
  package var leftOutOfOne: [String] {
    let places = ["request 1", entries.first?.place ?? ""]
    return leftOut.map { line in
      places.first { line.hasPrefix("\($0): ") }.map { String(line.dropFirst($0.count + 2)) } ?? line
    }
  }

  /// Creates the requests. Variables are replaced by values from the file and its first environment. Secrets and variables
  /// without a value are not replaced, and are listed in `leftOut`.
  package init(_ collection: ImportedCollection) {
    leftOut = collection.leftOut
    let values = ImportedValues(collection.values + (collection.environments.first?.values ?? []))
    if collection.environments.count > 1, let first = collection.environments.first {
      leftOut.append("all environments except '\(first.name)', the first")
    }
    for request in collection.requests {
      let place = ImportedCollection.path(request.folders, request.name)
      var missing: Set<String> = []
      func filled(_ text: String, isInJSON: Bool = false) -> String {
        let text = ImportTemplate(text).rendered(from: values, isInJSON: isInJSON)
        missing.formUnion(ImportTemplate(text).variables)
        return text
      }
      var url = ImportedCollection.overHTTP(filled(request.url))
      if !url.isEmpty, !url.contains("://"), !url.hasPrefix("{{") { url = "http://\(url)" }
      let headers = request.headers.filter { !RequestExport.isOfTheBody($0.name) }
        .map { header in
          let value = filled(header.value)
          var shared = RequestExport.Header(name: header.name, foreign: header.isBasic ? Self.basic(value) : value)
          shared.isAuthentication = header.isAuthentication
          return shared
        }
      let variables = filled(request.variables, isInJSON: true)
      var shared = RequestExport(
        url: url, headers: headers, query: filled(request.query), variables: variables,
        operationName: request.operationName)
      shared.extensions = request.extensions
      shared.usesGET = request.usesGET
      if request.isPersisted { shared.digest = SHA256Digest.hexadecimal(of: shared.query) }
      entries.append(Entry(place: place, request: shared))
      if !missing.isEmpty {
        let names = missing.sorted().map { "{{\($0)}}" }.joined(separator: ", ")
        leftOut.append("\(place): no value for \(names)")
      }
    }
  }
  /// The header value for `user:password`. Text with a variable is not encoded.
  private static func basic(_ credentials: String) -> String {
    guard ImportTemplate(credentials).variables.isEmpty else { return "Basic \(credentials)" }
    return "Basic \(Base64.encode(Array(credentials.utf8)))"
  }
}
