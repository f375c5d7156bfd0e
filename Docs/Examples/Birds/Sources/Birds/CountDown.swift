import BirdsAPI

/// Prints what a subscription tells, event by event.
func countDown(at url: String) async throws {
  var numbers: [Int] = []
  for try await result in GraphQLClient(url: url).subscribe(subscription: CountdownSubscription(from: 3)) {
    if let number = result.data?.countdown { numbers.append(number) }
  }
  print("counted \(numbers)")
}
