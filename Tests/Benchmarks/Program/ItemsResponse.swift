/// The response for client benchmarks: a list of 10,000 items with different owners, which results in 20,001 cache
/// records.
enum ItemsResponse {
  static let count = 10_000

  static let query = """
    query Items { items { __typename id title body price inStock owner { __typename id name email } } }
    """

  static let schema = """
    type Query { items: [Item!]! }
    type Item { id: ID! title: String! body: String! price: Float! inStock: Boolean! owner: User! }
    type User { id: ID! name: String! email: String! }
    """

  /// Returns the value of `data`, about 2 MB.
  static func data() -> [UInt8] {
    var text = #"{"items":["#
    for number in 0..<count {
      if number > 0 { text += "," }
      text += #"{"__typename":"Item","id":"item-\#(number)","title":"The item with the number \#(number)","#
      text += #""body":"A few words on it, as a list has them.","price":\#(number).5,"inStock":\#(number % 3 == 0),"#
      text += #""owner":{"__typename":"User","id":"user-\#(number)","name":"Owner \#(number)","#
      text += #""email":"owner\#(number)@example.com"}}"#
    }
    return Array((text + "]}").utf8)
  }
}
