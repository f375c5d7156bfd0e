#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Uses every public type of the client, the selections and the generator, against correct and faulty servers, and exits
/// with 1 if a check fails.
@main
struct Checks {
  static func main() async {
    let report = Report()
    await report.theme("JSON", checkJSON)
    await report.theme("models", checkModels)
    await report.theme("fetching", checkFetching)
    await report.theme("deferral", checkDeferral)
    await report.theme("deferred models", checkDeferredModels)
    await report.theme("policies", checkPolicies)
    await report.theme("records", checkRecords)
    await report.theme("observing", checkObserving)
    await report.theme("removal", checkRemoval)
    await report.theme("cache files", checkCacheFiles)
    await report.theme("updates", checkUpdates)
    await report.theme("transactions", checkTransactions)
    await report.theme("text", checkText)
    await report.theme("watching", checkWatching)
    await report.theme("paging", checkPaging)
    await report.theme("the use of pagers", checkPagerUse)
    await report.theme("errors", checkErrors)
    await report.theme("the chain", checkChain)
    await report.theme("streams", checkStreams)
    await report.theme("features", checkFeatures)
    await report.theme("events", checkEvents)
    await report.theme("subscriptions", checkSubscriptions)
    await report.theme("HTTP", checkHTTP)
    await report.theme("testing", checkTesting)
    await report.theme("selections", checkSelections)
    await report.theme("the use of selections", checkSelectionUse)
    await report.theme("selections under test", checkTestedSelections)
    await report.theme("agreement", checkAgreement)
    await report.theme("language tools", checkTools)
    await report.theme("the generator", checkGenerator)
    for failure in report.failures { print("does not hold: \(failure)") }
    print("\(report.count) checks, \(report.failures.count) failures")
    if !report.failures.isEmpty { exit(1) }
  }
}
