import ApusClientRequests

/// The requests of a file, from which the user chooses.
package struct ImportedRequests: Sendable {
  package private(set) var requests: [ImportedRequest] = []
  /// Messages about parts that are not imported, each with its location.
  package private(set) var leftOut: [String]

  /// The messages of `leftOut` without their location, for a file with a single request.
  package var leftOutOfOne: [String] {
    let places = ["request 1", requests.first?.title ?? ""]
    return leftOut.map { line in
      places.first { line.hasPrefix("\($0): ") }.map { String(line.dropFirst($0.count + 2)) } ?? line
    }
  }

  /// Creates the requests. Variables are replaced by values from the file and its first environment. Secrets are values of
  /// references; variables without a value are references too, and are listed in `leftOut`.
  package init(_ collection: ImportedCollection) {
    leftOut = collection.leftOut.map { LiteralBraces.shown($0) }
    let values = ImportedValues(collection.values + (collection.environments.first?.values ?? []))
    if collection.environments.count > 1, let first = collection.environments.first {
      leftOut.append("all environments except '\(first.name)', the first")
    }
    for request in collection.requests {
      let (filled, missing) = request.filled(from: values)
      requests.append(filled)
      let credentials = RunOptions.Reference.basicCredentials
      for header in request.draft.headers where header.isBasic && missing.contains(credentials) {
        let names = ImportTemplate(header.text).variables.map { "{{\($0)}}" }
        let parts = names.count == 2 ? names.joined(separator: ":") : "user:password"
        leftOut.append("\(request.title): the value of {{\(credentials)}} is \(parts) or its Base64")
      }
      if !missing.isEmpty {
        let names = missing.sorted().map { "{{\($0)}}" }.joined(separator: ", ")
        leftOut.append("\(request.title): no value for \(names)")
      }
    }
  }
}
