import ApusClientAPI
import ApusClientIncremental
import ApusJSON
import Testing

/// The table "At the end" of `Docs/Development/PayloadsOfOneResponse.md`: the states of fragments that no payload settled.
@Suite struct EndStateTests {
  /// The field of the fragment `{ nick }` in the first payload.
  enum Arrival: CaseIterable {
    case nothing, null, value
  }

  enum ErrorPlace: CaseIterable {
    case none, below, own
  }

  enum Ending: CaseIterable {
    /// The payload `{"hasNext":false}` alone.
    case lastPayload
    /// A payload for another fragment is the last.
    case otherPayload
    /// A response of parts without `hasNext` ends.
    case silence
    /// The next event of a subscription begins.
    case nextEvent
    case cut
  }

  enum Place: CaseIterable {
    case object, listElement, mutation, streamedItem

    /// The document with the place of the fragment on the object.
    func document(_ label: String) -> String {
      let fields = "id ... @defer\(label) { nick } ... @defer(label: \"other\") { age }"
      return switch self {
      case .object: "{ me { \(fields) } }"
      case .listElement: "{ team { \(fields) } }"
      case .mutation: "mutation { rename { \(fields) } }"
      case .streamedItem: "{ team @stream { \(fields) } }"
      }
    }

    var path: String {
      switch self {
      case .object: #"["me"]"#
      case .listElement, .streamedItem: #"["team",0]"#
      case .mutation: #"["rename"]"#
      }
    }

    func data(_ object: String) -> String {
      switch self {
      case .object: #"{"me":\#(object)}"#
      case .listElement, .streamedItem: #"{"team":[\#(object)]}"#
      case .mutation: #"{"rename":\#(object)}"#
      }
    }
  }

  /// The state and data that the rows of the table give; the last row that applies counts.
  private static func expected(
    _ arrival: Arrival, _ error: ErrorPlace, _ ending: Ending, isAnnounced: Bool
  ) -> (state: String, nick: String?) {
    let arrived: String? =
      switch arrival {
      case .nothing: nil
      case .null: "null"
      case .value: "\"n\""
      }
    // Nothing is held back for a value: the fragment came with its object.
    if arrival == .value, !isAnnounced { return ("fulfilled", arrived) }
    let held = arrival == .value ? arrived : nil
    var row: (String, String?) = arrival == .nothing ? ("failed", nil) : ("fulfilled", arrived)
    if error == .below { row = ("fulfilled", arrived ?? "null") }
    if error == .own { row = ("failed", held) }
    if isAnnounced { row = ("failed", held) }
    if ending == .cut { row = ("failed", held) }
    return row
  }

  private func deliver(
    _ arrival: Arrival, _ error: ErrorPlace, _ ending: Ending, _ place: Place, label: String, announcement: String?
  ) throws -> Delivery {
    let object =
      switch arrival {
      case .nothing: #"{"id":1}"#
      case .null: #"{"nick":null,"id":1}"#
      case .value: #"{"nick":"n","id":1}"#
      }
    let reported =
      switch error {
      case .none: ""
      case .below: #","errors":[{"message":"no","path":\#(place.path.dropLast()),"nick"]}]"#
      case .own: #","errors":[{"message":"no","path":\#(place.path)}]"#
      }
    let hasNext = ending == .silence ? "" : #","hasNext":true"#
    let pending = announcement.map { #","pending":[\#($0)]"# } ?? ""
    var delivery = try Delivery(
      place.document(label), schema: nil,
      as: ending == .silence ? .parts : ending == .nextEvent ? .events : .complete)
    if place == .streamedItem {
      let stream = announcement == nil ? "" : #","pending":[{"id":"s","path":["team"]}]"#
      let item = announcement == nil ? #""path":["team",0]"# : #""id":"s""#
      try delivery.receive(
        #"{"data":{"team":[]}\#(stream)\#(hasNext)}"#,
        #"{"incremental":[{\#(item),"items":[\#(object)]}]\#(pending)\#(reported)\#(hasNext)}"#)
    } else {
      try delivery.receive(#"{"data":\#(place.data(object))\#(pending)\#(reported)\#(hasNext)}"#)
    }
    let other = #""incremental":[{"path":\#(place.path),"label":"other","data":{"age":3}}]"#
    switch ending {
    case .lastPayload: try delivery.receive(#"{"hasNext":false}"#)
    case .otherPayload where announcement == nil: try delivery.receive(#"{\#(other),"hasNext":false}"#)
    case .otherPayload: try delivery.receive(#"{"extensions":{"a":1},"hasNext":false}"#)
    case .silence: delivery.finish(cut: false)
    case .nextEvent:
      if let last = delivery.merger.endEvent(at: .seconds(9)) { delivery.results.append(last) }
    case .cut: delivery.finish(cut: true)
    }
    return delivery
  }

  @Test(arguments: Place.allCases, Ending.allCases)
  func `states of the table in the 2022 format`(place: Place, ending: Ending) throws {
    for label in ["", "(label: \"n\")"] {
      for arrival in Arrival.allCases {
        for error in ErrorPlace.allCases {
          let delivery = try deliver(arrival, error, ending, place, label: label, announcement: nil)
          let expected = Self.expected(arrival, error, ending, isAnnounced: false)
          let comment = Comment("\(arrival), error \(error), \(ending), \(place), \(label): \(delivery.data)")
          let fragment = delivery.last?.fragments.first { $0.label != "other" }
          #expect(fragment?.state.name == expected.state, comment)
          let path = ResponsePath(try json(place.path)) ?? .root
          let nick = delivery.last?.data?.value(at: path.appending(.key("nick")))
          #expect(nick?.description == expected.nick, comment)
        }
      }
    }
  }

  /// The labels are in the query, in the announcement, in both or in neither.
  @Test(arguments: [Place.object, .listElement, .mutation, .streamedItem])
  func `states of the table for an announced fragment`(place: Place) throws {
    for (label, sent) in [("", ""), ("(label: \"n\")", #","label":"n""#), ("(label: \"n\")", "")] {
      for arrival in Arrival.allCases {
        for error in ErrorPlace.allCases {
          for ending in [Ending.lastPayload, .otherPayload, .cut] {
            // An announcement whose label fits no fragment belongs to the one whose data is missing.
            if sent.isEmpty, !label.isEmpty, arrival != .nothing { continue }
            let announcement = #"{"id":"0","path":\#(place.path)\#(sent)}"#
            let delivery = try deliver(arrival, error, ending, place, label: label, announcement: announcement)
            let expected = Self.expected(arrival, error, ending, isAnnounced: true)
            let fragment = delivery.last?.fragments.first { $0.label != "other" }
            #expect(
              fragment?.state.name == expected.state,
              "\(arrival), error \(error), \(ending), \(place), \(label): \(delivery.states)")
          }
        }
      }
    }
  }

  @Test func `an announcement without a label belongs to the fragment whose data is missing`() throws {
    var delivery = try Delivery(
      #"{ me { id ... @defer(label: "n") { nick } ... @defer(label: "a") { age } } }"#, schema: nil)
    try delivery.receive(
      #"{"data":{"me":{"id":1,"nick":null}},"pending":[{"id":"0","path":["me"]}],"hasNext":true}"#)
    #expect(delivery.states == ["n@me fulfilled", "a@me pending"])
    #expect(delivery.data == #"{"me":{"id":1,"nick":null}}"#)
    try delivery.receive(
      #"{"incremental":[{"id":"0","data":{"age":3}}],"completed":[{"id":"0"}],"hasNext":false}"#)
    #expect(delivery.states == ["n@me fulfilled", "a@me fulfilled"])
  }

  @Test func `a held null returns to its place`() throws {
    var delivery = try Delivery(
      #"{ me { id ... @defer(label: "n") { nick } ... @defer(label: "h") { home } last } }"#, schema: nil)
    try delivery.receive(#"{"data":{"me":{"id":1,"nick":null,"last":"z"}},"hasNext":true}"#)
    #expect(delivery.data == #"{"me":{"id":1,"last":"z"}}"#)
    try delivery.receive(#"{"incremental":[{"path":["me"],"label":"h","data":{"home":2}}],"hasNext":true}"#)
    #expect(delivery.states == ["n@me pending", "h@me fulfilled"])
    try delivery.receive(#"{"hasNext":false}"#)
    #expect(delivery.data == #"{"me":{"id":1,"nick":null,"last":"z","home":2}}"#)
    #expect(delivery.states == ["n@me fulfilled", "h@me fulfilled"])
    #expect(delivery.changes == ["me.nick"])
  }

  /// Without a type name it is unknown whether a named fragment covers the object; its null shows it.
  @Test func `the null of a named fragment without a type name is kept`() throws {
    var delivery = try Delivery("{ me { id ...N @defer } } fragment N on Person { nick }", schema: nil)
    try delivery.receive(#"{"data":{"me":{"id":1,"nick":null}},"hasNext":true}"#, #"{"hasNext":false}"#)
    #expect(delivery.data == #"{"me":{"id":1,"nick":null}}"#)
    #expect(delivery.states == ["...N@me fulfilled"])
  }

  @Test func `a null object that becomes data reveals its inner fragments`() throws {
    var delivery = try Delivery(
      #"{ me { id ... @defer(label: "o") { home { name ... @defer(label: "i") { climate } } } } }"#, schema: nil)
    try delivery.receive(#"{"data":{"me":{"id":1,"home":null}},"hasNext":true}"#, #"{"hasNext":false}"#)
    #expect(delivery.data == #"{"me":{"id":1,"home":null}}"#)
    #expect(delivery.states == ["o@me fulfilled", "i@me.home notExecuted"])
  }

  @Test func `a patch without the held null makes it data`() throws {
    var delivery = try Delivery(#"{ me { id ... @defer(label: "n") { nick age } } }"#, schema: nil)
    try delivery.receive(
      #"{"data":{"me":{"id":1,"nick":null,"age":null}},"hasNext":true}"#,
      #"{"incremental":[{"path":["me"],"label":"n","data":{"age":3}}],"hasNext":false}"#)
    #expect(delivery.data == #"{"me":{"id":1,"nick":null,"age":3}}"#)
  }

  @Test func `a fragment of which a field is missing is fulfilled and incomplete`() throws {
    var delivery = try Delivery(#"{ me { id ... @defer(label: "n") { nick age } } }"#, schema: nil)
    try delivery.receive(#"{"data":{"me":{"id":1,"nick":null}},"hasNext":true}"#, #"{"hasNext":false}"#)
    #expect(delivery.states == ["n@me fulfilled"])
    #expect(delivery.last?.fragments.map(\.shortfall) == [.missing])
    var shared = try Delivery(#"{ me { id nick ... @defer(label: "n") { nick age } } }"#, schema: nil)
    try shared.receive(#"{"data":{"me":{"id":1,"nick":null}},"hasNext":true}"#, #"{"hasNext":false}"#)
    #expect(shared.states == ["n@me failed"], "the field came with the object")
  }

  // MARK: - Nested fragments without labels

  @Test(arguments: [
    #"{"n":48,"q1":null}"#, #"{"n":48,"q1":{"id":null}}"#, #"{"n":48,"q1":null,"q2":null}"#,
  ])
  func `an inner fragment without a label may arrive first`(item: String) throws {
    let q1 = item.contains("id") ? "q1 { id }" : "q1"
    let q2 = item.contains("q2") ? "q2" : ""
    let inner = #"{"incremental":[{"data":\#(item),"path":[]}],"hasNext":true}"#
    for (outer, rest) in [("n", #"{"n":48}"#), ("n m", #"{"n":48,"m":1}"#)] {
      let text = "{ now ... @defer { \(outer) ... @defer { n \(q1) \(q2) } } }"
      let patch = #"{"incremental":[{"data":\#(rest),"path":[]}],"hasNext":true}"#
      for payloads in [[inner, patch], [patch, inner]] {
        var delivery = try Delivery(text, schema: nil)
        try delivery.receive(#"{"data":{"now":1},"hasNext":true}"#)
        for payload in payloads { try delivery.receive(payload) }
        #expect(delivery.states == ["on ?@ fulfilled", "on ?@ fulfilled"], "\(text)")
        try delivery.receive(#"{"hasNext":false}"#)
        let merged = try json(item).mergingDeeply(json(rest), at: .root).mergingDeeply(["now": 1], at: .root)
        #expect(delivery.last?.data == merged, "\(text)")
        #expect(delivery.errors.isEmpty)
      }
    }
  }
}
