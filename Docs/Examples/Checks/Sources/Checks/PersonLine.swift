/// A person in a form that can be compared between the ways to read data.
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
