/// A person as any way of reading shows one, to compare the ways.
struct PersonLine: Equatable, Sendable {
  var id: String
  var name: String
  var likes: Int
  var email: String
  var mood: String?
  var weight: Double?
  var tags: [String]
  var friends: [String]
}
