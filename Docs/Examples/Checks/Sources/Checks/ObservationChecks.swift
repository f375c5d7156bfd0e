import PeopleAPI
import ScriptedServers
import Synchronization

/// Checks notifications of changes, results emitted before they are written, and cache misses.
func checkObserving(_ report: Report) async throws {
  let told = Mutex<[ObservedCacheChange]>([])
  let scripted = try Scripted([People.inParts()])
  let observation: CacheObservation = scripted.store.observe { change in told.withLock { $0.append(change) } }
  let query = PersonQuery(id: "1", later: true)
  let missing: [CacheMiss] = try await scripted.store.misses(of: query.compiled, variables: query.variables)
  report.check("an empty cache has no record", missing.first?.reason, is: CacheMiss.Reason.noRecord)
  report.check("the miss says where it looked", missing.first?.record, is: CacheKey.queryRoot)

  let request = RequestID()
  var options = RequestOptions(cachePolicy: .networkOnly, cacheWrites: .incremental)
  options.cacheWriteTiming = CacheWriteTiming.afterResult
  options.requestID = request
  let results = await all(scripted.client.fetch(query: query, options: options)).results
  report.check("the last result is whole", results.last?.completeness, is: .complete)
  report.check("none has changed keys", results.allSatisfy(\.changedKeys.isEmpty))
  let changes = told.withLock { $0 }
  report.check("all is written when the stream ends", changes.count, is: results.count)
  report.check("by the request", changes.allSatisfy { $0.change.request == request })
  report.check("on an empty cache", changes.first?.before?.count, is: 0)
  report.check("the person is there after it", changes.first?.after.record("User:1") != nil)
  let left = try await scripted.store.misses(of: query.compiled, variables: query.variables)
  report.check("nothing is missing any more", left.isEmpty)

  try await scripted.store.apply([.removeRecord("User:1")], cause: .eviction, title: "Forget Ada")
  report.check("an edit has a title", told.withLock { $0.last?.change.title }, is: "Forget Ada")
  withExtendedLifetime(observation) {}
}
