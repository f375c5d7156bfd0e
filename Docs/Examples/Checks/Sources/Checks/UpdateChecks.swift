import PeopleAPI
import ScriptedServers

/// Checks changes of cached data, concurrent changes and optimistic layers.
func checkUpdates(_ report: Report) async throws {
  let store = Scripted.store()
  let query = PersonQuery(id: "1", later: false)
  try await store.write(ada, for: query)
  let changed = try await store.update(LikesLocalCacheMutation(id: "1")) { $0.person?.likes += 1 }
  report.check("an update changes a field", try await store.read(query)?.person?.likes, is: 4)
  report.check("and nothing else", changed.descriptions, is: ["User:1.likes"])
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<100 {
      group.addTask { _ = try? await store.update(LikesLocalCacheMutation(id: "1")) { $0.person?.likes += 1 } }
    }
  }
  report.check("no update is lost", try await store.read(query)?.person?.likes, is: 104)
  let card = PersonCardLocalCacheMutation(id: "1")
  let byCard = try await store.update(card) { $0.person?.fragments.card?.likes -= 100 }
  report.check("a named fragment's field is updated", byCard.descriptions, is: ["User:1.likes"])
  try await store.update(card) { data in
    guard let card = data.person?.fragments.card else { return }
    data.person?.fragments.card = Card(id: card.id, name: card.name, likes: 104)
  }
  report.check("and the fragment as a whole", try await store.read(query)?.person?.likes, is: 104)
  func changes(_ type: (some FragmentContainer).Type) -> Bool { type is any MutableFragmentContainer.Type }
  report.check("such fragments can be changed", changes(PersonCardLocalCacheMutation.Data.Person.Fragments.self))
  let nothing = try await store.update(LikesLocalCacheMutation(id: "9")) { $0.person?.likes += 1 }
  report.check("missing data is not updated", nothing.isEmpty)
  do {
    try await store.update(LikesLocalCacheMutation(id: "1")) { data in
      data.person?.likes = 0
      throw CancellationError()
    }
  } catch {}
  report.check("an update that throws changes nothing", try await store.read(query)?.person?.likes, is: 104)
  try await store.update(query.compiled, variables: query.variables) { (data: inout JSONValue) in
    data = try data.replacing(at: ["person", "name"], with: "Augusta")
  }
  report.check("data is updated as JSON too", try await store.read(query)?.person?.name, is: "Augusta")
  try await store.write(ada.__data, for: query)
  report.check("data is written as a dictionary too", try await store.read(query)?.person?.name, is: "Ada")
  let options = CacheWriteOptions(isPartial: true)
  try await store.write(
    ["person": ["__typename": "User", "id": "1", "name": "Part"]], operation: query.compiled,
    variables: query.variables, options: options)
  report.check("a part is written over the rest", try await store.read(query)?.person?.name, is: "Part")

  let gate = Gate()
  let scripted = try Scripted([
    ScriptedAnswer.json(#"{"data":{"rename":{"__typename":"User","id":"1","name":"Real"}}}"#).held(by: gate),
    .json(#"{"data":{"rename":null},"errors":[{"message":"no"}]}"#),
  ])
  try await scripted.store.write(ada, for: query)
  let guess = RenameMutation.Data(rename: .init(id: "1", name: "Guess"))
  let results = scripted.client.perform(mutation: RenameMutation(id: "1", name: "Real"), optimistic: guess)
  let task = Task { await all(results) }
  _ = try await scripted.server.request()
  var changes = await scripted.store.changes().makeAsyncIterator()
  while try await scripted.store.read(query)?.person?.name != "Guess" { _ = await changes.next() }
  report.check(
    "an optimistic value is shown immediately", try await scripted.store.read(query)?.person?.name, is: "Guess")
  gate.open()
  report.check("the response arrives", await task.value.results.first?.data?.rename?.name, is: "Real")
  report.check("and replaces the optimistic value", try await scripted.store.read(query)?.person?.name, is: "Real")
  _ = await all(scripted.client.perform(mutation: RenameMutation(id: "1", name: "Guess"), optimistic: guess))
  report.check(
    "a rejected optimistic value is rolled back", try await scripted.store.read(query)?.person?.name, is: "Real")
}
