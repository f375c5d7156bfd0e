import PeopleAPI
import ScriptedServers
import Synchronization

/// Checks notifications of changes, results emitted before they are written, and cache misses.
func checkObserving(_ report: Report) async throws {
  let received = Mutex<[ObservedCacheChange]>([])
  let scripted = try Scripted([People.inParts()])
  let observation: CacheObservation = scripted.store.observe { change in received.withLock { $0.append(change) } }
  let query = PersonQuery(id: "1", later: true)
  let missing: [CacheMiss] = try await scripted.store.misses(of: query)
  report.check("an empty cache has no record", missing.first?.reason, is: CacheMiss.Reason.noRecord)
  report.check("the miss says where it looked", missing.first?.record, is: CacheKey.queryRoot)

  let request = RequestID()
  var options = RequestOptions(cachePolicy: .networkOnly, cacheWrites: .incremental)
  options.cacheWriteTiming = CacheWriteTiming.afterResult
  options.requestID = request
  let results = await all(scripted.client.fetch(query: query, options: options)).results
  report.check("the last result is whole", results.last?.completeness, is: .complete)
  report.check("none has changed keys", results.allSatisfy(\.changedKeys.isEmpty))
  let changes = received.withLock { $0 }
  report.check("all is written when the stream ends", changes.count, is: results.count)
  report.check("by the request", changes.allSatisfy { $0.change.request == request })
  report.check("on an empty cache", changes.first?.before?.count, is: 0)
  report.check("the person is there after it", changes.first?.after.record("User:1") != nil)
  let left = try await scripted.store.misses(of: query.compiled, variables: query.variables)
  report.check("nothing is missing any more", left.isEmpty)

  try await scripted.store.apply([.removeRecord("User:1")], cause: .eviction, title: "Forget Ada")
  report.check("an edit has a title", received.withLock { $0.last?.change.title }, is: "Forget Ada")
  withExtendedLifetime(observation) {}
  try await checkReplacing(report)
}

/// Checks misses of values that another operation replaced.
private func checkReplacing(_ report: Report) async throws {
  let store = CacheStore()
  let colors = try DynamicOperation(text: "query Colors { tags { __typename name color } }")
  let sizes = try DynamicOperation(text: "query Sizes { tags { __typename name size } }")
  try await store.write(["tags": [["__typename": "Tag", "name": "a", "color": "red"]]], operation: colors.compiled)
  try await store.write(["tags": [["__typename": "Tag", "name": "a", "size": 1]]], operation: sizes.compiled)
  var taker: CacheReplacement?
  if case .replaced(let replacement)? = try await store.misses(of: colors.compiled).first?.reason {
    taker = replacement
  }
  report.check("the miss names the query that took the value", taker?.operationName, is: "Sizes")
  report.check("the items have no key", taker?.reason, is: CacheReplacement.Reason.listItem)
  let fields: [ReplacedField] = try await store.snapshot().replacedFields(in: .queryRoot)
  report.check("the record lists the fields that were taken", fields.map(\.field), is: ["color"])
  let conflicts: [CacheConflict] = await store.conflicts
  report.check("no watches are in conflict", conflicts.isEmpty)
}
