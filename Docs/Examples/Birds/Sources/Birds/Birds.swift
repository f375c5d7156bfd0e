/// `Birds URL`: a bird with its deferred history through generated models, and the stations through a selection.
@main
struct Birds {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: Birds URL (apus serve prints one)")
      return
    }
    try await showBird(at: CommandLine.arguments[1])
    try await showStations(at: CommandLine.arguments[1])
  }
}
