import BirdsAPI

/// Prints the events of a subscription.
func countDown(at url: String) async throws {
  var numbers: [Int] = []
  for try await result in GraphQLClient(url: url).subscribe(subscription: CountdownSubscription(from: 3)) {
    if let number = result.data?.countdown { numbers.append(number) }
  }
  print("counted \(numbers)")
}
