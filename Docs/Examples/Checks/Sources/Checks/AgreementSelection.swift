import PeopleSelections

/// The query of `AgreementChecks` as a selection.
private let personLine = Selection.Query { query in
  let friend = Selection.Person { "\(try $0.id()) \(try $0.name())" }
  let user = Selection.User { user in
    PersonLine(
      id: try user.id(), name: try user.name(), likes: try user.likes(), email: try user.email(),
      mood: try user.mood()?.rawValue, weight: try user.weight(), tags: try user.tags(),
      friends: try user.friends(friend.list))
  }
  return try query.person(id: "1", Selection.Person { try $0.on(user: user.optional, otherwise: nil) }.nullable)
}

/// Returns cached data, read through a selection.
func readBySelection(_ store: CacheStore) async throws -> PersonLine? {
  (try await store.read(try SelectionOperation(personLine)) ?? nil) ?? nil
}

/// Returns data from the server, read through a selection.
func fetchBySelection(_ url: String) async throws -> PersonLine? {
  let results = GraphQLClient(url: url).results(of: personLine)
  for try await result in results { return (result.data ?? nil) ?? nil }
  return nil
}
