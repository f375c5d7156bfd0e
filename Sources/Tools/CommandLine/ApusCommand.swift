@main
struct ApusCommand {
  static func main() async {
  }
}
