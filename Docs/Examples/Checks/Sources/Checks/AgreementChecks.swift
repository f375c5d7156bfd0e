import PeopleAPI
import ScriptedServers

/// Checks that generated models, a selection and JSON show the same data for random valid and invalid responses, from the
/// server and from the cache.
func checkAgreement(_ report: Report) async throws {
  let query = PersonQuery(id: "1", later: false)
  let raw = DynamicOperation(
    compiled: query.compiled, variables: query.variables, resultChecking: ResultChecking.propagateNulls)
  let seed = UInt64.random(in: 0...UInt64(UInt32.max))
  var random = SeededRandom(state: seed)
  var wholeCount = 0
  for _ in 0..<60 {
    let answer = People.person(randomUser(&random))
    let server = try ScriptedServer([.json(answer)])
    let store = Scripted.store()
    let client = GraphQLClient(url: server.url, store: store)
    let model = await all(client.fetch(query: query, cachePolicy: .networkOnly)).results.first
    let json = await all(client.fetch(query: raw, cachePolicy: .networkOnly)).results.first
    let (fromModel, fromJSON) = (line(model?.data?.person?.asUser), line(json?.data?["person"]))
    let place = "seed \(seed): \(answer)"
    report.check("models and JSON agree on an answer, \(place)", fromModel, is: fromJSON)
    report.check("selections and models do, \(place)", try await fetchBySelection(server.url), is: fromModel)
    report.check("the errors agree, \(place)", model?.errors.map(\.path), is: json?.errors.map(\.path))
    let (cached, read) = (try await store.read(query), try await store.read(query.compiled, variables: query.variables))
    report.check("models and JSON agree on the cache, \(place)", cached != nil, is: read.isComplete)
    report.check("and on its content, \(place)", line(cached?.person?.asUser), is: line(read.data?["person"]))
    report.check(
      "selections and models do, \(place)", try await readBySelection(store), is: line(cached?.person?.asUser))
    if cached != nil {
      wholeCount += 1
      report.check("the cache returns the server's data, \(place)", cached, is: model?.data)
    }
    server.stop()
  }
  report.check("some answers were right and some were not", wholeCount > 5 && wholeCount < 55)
}

/// Returns a person with valid values, or with some values of a wrong type.
private func randomUser(_ random: inout SeededRandom) -> String {
  let others = ["null", "7", #""x""#, "true", "[]", #"["x",null]"#, "1.5"]
  var changes = ["friends": People.friends]
  for field in ["id", "name", "likes", "email", "mood", "weight", "tags", "friends"]
  where Int.random(in: 0..<14, using: &random) == 0 {
    changes[field] = others.randomElement(using: &random)
  }
  return People.user(changes)
}

private func line(_ user: PersonQuery.Data.Person.AsUser?) -> PersonLine? {
  guard let user, let likes = user.likes, let friends = user.fragments.friends?.friends else { return nil }
  return PersonLine(
    id: user.id, name: user.name, likes: likes, email: user.email, mood: user.mood?.rawValue, weight: user.weight,
    tags: user.tags, friends: friends.map { "\($0.id) \($0.name)" })
}

/// Returns the line for a person as JSON, with the ID as the server sent it.
private func line(_ json: JSONValue?) -> PersonLine? {
  guard let json, let id = json["id"]?.string ?? json["id"]?.numberText, let name = json["name"]?.string,
    let likes = json["likes"]?.int, let email = json["email"]?.string, let tags = json["tags"],
    let friends = json["friends"]
  else { return nil }
  return PersonLine(
    id: id, name: name, likes: likes, email: email, mood: json["mood"]?.string, weight: json["weight"]?.double,
    tags: tags.elements.compactMap(\.string),
    friends: friends.elements.map { "\($0["id"]?.string ?? "") \($0["name"]?.string ?? "")" })
}

/// A random number generator that a seed determines (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
