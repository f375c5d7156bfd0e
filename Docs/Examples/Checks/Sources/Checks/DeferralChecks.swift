import PeopleAPI
import ScriptedServers

/// Checks deferred fragments: each payload, each state, both formats.
func checkDeferral(_ report: Report) async throws {
  let scripted = try Scripted([People.inParts()])
  let results = await all(scripted.client.fetch(query: PersonQuery(id: "1"))).results
  report.check("each part is a result", results.count, is: 2)
  report.check("the first is partial", results.first?.completeness, is: .partial)
  report.check("the last is complete", results.last?.completeness, is: .complete)
  report.check("the base is there at once", results.first?.data?.person?.name, is: "Ada")
  report.check("the fragment is pending", state(results.first), is: "pending")
  report.check("then fulfilled", state(results.last), is: "fulfilled R2")
  report.check("a payload has its path", results.last?.changedPaths, is: [["person", "friends"]])
  let fragment: DeferredFragment? = results.last?.fragments.first
  report.check("a fragment has its label", fragment?.label, is: "friends")
  report.check("its path", fragment?.path, is: ["person"])
  report.check("its type", fragment?.typeCondition, is: "User")
  report.check("its state", fragment?.state, is: DeferredState.fulfilled)
  report.check("when it came", fragment?.settledAfter != nil)
  let summary: DeferredSummary? = DeferredSummary.summaries(of: results.last?.fragments ?? []).first
  report.check("instances are summed up", summary?.fulfilled, is: 1)
  report.check("of all", summary?.count, is: 1)

  let second = try Scripted([
    .multipart(
      specification: "incrementalSpec=v0.2",
      [
        .text(
          #"{"data":{"person":\#(People.user())},"pending":[{"id":"0","path":["person"],"label":"friends"}],"hasNext":true}"#
        ),
        .text(#"{"incremental":[{"id":"0","data":{"friends":[]}}],"completed":[{"id":"0"}],"hasNext":false}"#),
      ])
  ])
  let others = await all(second.client.fetch(query: PersonQuery(id: "1"))).results
  report.check("the second format works too", others.map(state), is: ["pending", "fulfilled "])

  let plain = try Scripted([People.whole()])
  let whole = await all(plain.client.fetch(query: PersonQuery(id: "1"))).results
  report.check("a server need not defer", whole.map(state), is: ["fulfilled R2"])
  let bot = try Scripted([.json(People.person(#"{"__typename":"Bot","id":"2","name":"R2","likes":1}"#))])
  let notExecuted = await all(bot.client.fetch(query: PersonQuery(id: "2"))).results.first
  report.check("where the type is another there is no case", notExecuted?.data?.person?.asUser == nil)
  report.check("and the response is complete", notExecuted?.completeness, is: .complete)

  let broken = try Scripted([People.inParts(friends: #"[{"__typename":"Bot","id":"2","name":7}]"#)])
  let failed = await all(broken.client.fetch(query: PersonQuery(id: "1"))).results
  report.check("a part that contradicts the schema has failed", state(failed.last), is: "failed")
  report.check("the base stays", failed.last?.data?.person?.name, is: "Ada")
  report.check("and says why", failed.last?.errors.first?.path, is: ["person", "friends", 0, "name"])
  let again = await all(broken.client.fetch(query: PersonQuery(id: "1"), cachePolicy: .cacheOnly)).results
  report.check("read back it has failed still", again.map(state), is: ["failed"])
  report.check("what failed is asked for again", broken.requestCount == 1)

  let cut = try Scripted([
    .multipart(
      framing: .untilClose, [.text(#"{"data":{"person":\#(People.user())},"hasNext":true}"#), .close, .text("{}")])
  ])
  let (arrived, error) = await all(cut.client.fetch(query: PersonQuery(id: "1")))
  report.check("data that arrived before an interruption is kept", arrived.last?.data?.person?.name, is: "Ada")
  report.check("its fragment has failed", state(arrived.last), is: "failed")
  report.check("and the interruption is reported", error != nil)

  var options = RequestOptions(
    cachePolicy: .networkOnly, cacheWrites: .incremental, incremental: IncrementalDelivery.off)
  options.timeouts = HTTPTimeouts(total: .seconds(60))
  let off = try Scripted([People.whole()])
  _ = await all(off.client.fetch(query: PersonQuery(id: "1"), options: options))
  report.check(
    "no parts are asked for where they are off", off.server.requests.first?.header("Accept")?.contains("multipart"),
    is: false)
}

private func state(_ result: GraphQLResult<PersonQuery.Data>?) -> String {
  switch result?.data?.person?.asUser?.fragments.$friends {
  case nil: "none"
  case .pending: "pending"
  case .fulfilled(let part): "fulfilled \(part.friends.map(\.name).joined())"
  case .failed: "failed"
  case .notExecuted: "not executed"
  }
}
