/// `Birds URL`: uses generated models (a bird with its deferred history, all pages of a list, an optimistic
/// mutation, a subscription), and reads the stations through a selection.
@main
struct Birds {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: Birds URL (apus serve prints one)")
      return
    }
    let url = CommandLine.arguments[1]
    try await showBird(at: url)
    try await showFlock(at: url)
    try await renameBird(at: url)
    try await countDown(at: url)
    try await showStations(at: url)
  }
}
