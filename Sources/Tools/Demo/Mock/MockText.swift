import ApusGraphQLSchema
import ApusJSON

/// Leaf values that are plausible for the names and types of their fields: the `Int` field `hatchYear` is from 1998 to
/// 2026.
enum MockText {
  static func value(
    of type: TypeDefinition, named field: String, on object: MockObject, seed: UInt64, _ place: String
  ) -> JSONValue {
    var draw = MockDraw(seed, object.type, object.key, field, place)
    let name = field.lowercased()
    switch type.name {
    case "Int": return JSONValue(number(name, &draw))
    case "Float": return JSONValue(Double(draw.below(100_000)) / 100)
    case "Boolean": return JSONValue(draw.below(2) == 1)
    case "ID":
      return JSONValue(name == "id" && !object.key.isEmpty ? object.key : "\(object.type)_\(draw.below(200) + 1)")
    case "String": return JSONValue(text(name, object, &draw))
    default: return custom(type.name, name, object, &draw)
    }
  }

  // MARK: Numbers

  private static func number(_ name: String, _ draw: inout MockDraw) -> Int {
    let ranges: [(String, ClosedRange<Int>)] = [
      ("year", 1998...2026), ("month", 1...12), ("weekday", 0...6), ("hour", 0...23), ("minute", 0...59),
      ("percent", 0...100), ("progress", 0...100), ("priority", 0...4), ("position", 0...40), ("rating", 1...5),
      ("age", 1...90), ("port", 1024...65_535), ("status", 200...204), ("width", 320...1920), ("height", 240...1080),
      ("size", 1...900_000), ("bytes", 1...9_000_000), ("price", 1...500), ("amount", 1...5000), ("cost", 1...100),
      ("databaseid", 1000...9_999_999), ("number", 1...4000), ("remaining", 0...5000), ("limit", 5000...5000),
      ("line", 1...800), ("star", 0...20_000), ("total", 0...500), ("count", 0...300),
    ]
    let range = ranges.first { name.contains($0.0) }?.1 ?? 0...1000
    return range.lowerBound + draw.below(range.count)
  }

  // MARK: Strings

  private static let firstNames = [
    "Ada", "Alan", "Barbara", "Chen", "Dina", "Edsger", "Frances", "Grace", "Hedy", "Ivan", "Joan", "Katherine",
    "Lin", "Margaret", "Noor", "Olga", "Priya", "Radia", "Sofia", "Tim", "Umar", "Vera", "Wanda", "Yuki",
  ]
  private static let lastNames = [
    "Adler", "Bianchi", "Castro", "Dahl", "Eriksen", "Fuchs", "Garcia", "Haddad", "Ito", "Jansen", "Kovacs", "Lind",
    "Moreau", "Novak", "Okafor", "Petrov", "Quist", "Rossi", "Santos", "Tanaka", "Ueda", "Virtanen", "Weber", "Zhang",
  ]
  private static let adjectives = [
    "amber", "brisk", "calm", "deep", "early", "fleet", "green", "hollow", "idle", "keen", "lunar", "mellow",
    "northern",
    "open", "plain", "quiet", "rapid", "silver", "tidal", "upper", "vivid", "wild", "young", "zonal",
  ]
  private static let nouns = [
    "anchor", "beacon", "canyon", "delta", "ember", "falcon", "garden", "harbour", "island", "junction", "kernel",
    "lantern", "meadow", "needle", "orchard", "parcel", "quarry", "river", "signal", "tower", "union", "valley",
    "window", "yard",
  ]
  private static let verbs = [
    "Add", "Avoid", "Check", "Drop", "Explain", "Fix", "Handle", "Keep", "Load", "Move", "Name", "Open", "Remove",
    "Show", "Speed up", "Test",
  ]
  private static let cities = [
    "Accra", "Bergen", "Cusco", "Dakar", "Esbjerg", "Fukuoka", "Galway", "Hobart", "Izmir", "Jaipur", "Kyiv", "Lisbon",
    "Malmö", "Nairobi", "Oaxaca", "Porto", "Quito", "Riga", "Seoul", "Tartu", "Utrecht", "Valparaíso", "Wrocław",
    "Zadar",
  ]
  private static let countries = [
    "Brazil", "Chile", "Denmark", "Estonia", "France", "Ghana", "India", "Japan", "Kenya", "Latvia", "Mexico", "Norway",
    "Peru", "Portugal", "Senegal", "Sweden", "Turkey", "Ukraine", "Vietnam", "Zambia",
  ]
  private static let languages = ["C", "Elixir", "Go", "Haskell", "Java", "Kotlin", "Python", "Ruby", "Rust", "Swift"]

  private static func text(_ name: String, _ object: MockObject, _ draw: inout MockDraw) -> String {
    if let text = personal(name, object, &draw) ?? technical(name, object, &draw) { return text }
    if name.contains("city") || name.contains("location") { return draw.pick(cities) }
    if name.contains("country") { return draw.pick(countries) }
    if name.contains("currency") { return draw.pick(["EUR", "USD", "JPY", "SEK", "BRL"]) }
    if name.contains("language") { return draw.pick(languages) }
    if name.contains("color") || name.contains("colour") { return "#" + draw.hexadecimal(6) }
    if name.contains("emoji") { return draw.pick(["🐦", "🌊", "🔥", "🌱", "⚙️"]) }
    if name.hasSuffix("html") { return "<p>\(sentence(&draw))</p>" }
    if ["description", "body", "bodytext", "content", "message", "summary", "bio", "text", "note", "comment", "reason"]
      .contains(where: name.hasSuffix)
    {
      return sentence(&draw) + " " + sentence(&draw)
    }
    if name.contains("title") || name.contains("headline") || name.contains("subject") { return title(&draw) }
    return "\(draw.pick(adjectives)) \(draw.pick(nouns))"
  }

  private static func personal(_ name: String, _ object: MockObject, _ draw: inout MockDraw) -> String? {
    let isPerson = ["user", "author", "actor", "person", "customer", "member", "artist", "viewer", "owner"]
      .contains(where: object.type.lowercased().contains)
    // All names of a person are derived from one draw, so that they match.
    var person = MockDraw(1, "person", object.type, object.key)
    let (first, last) = (person.pick(firstNames), person.pick(lastNames))
    switch name {
    case "firstname", "givenname": return first
    case "lastname", "familyname", "surname": return last
    case "fullname": return "\(first) \(last)"
    case "displayname" where isPerson, "name" where isPerson: return "\(first) \(last)"
    case "login", "username", "handle", "nickname": return (first + last.prefix(1)).lowercased()
    case "company": return "\(draw.pick(adjectives).capitalizedFirst) \(draw.pick(nouns).capitalizedFirst) Ltd"
    default: break
    }
    if name.contains("email") { return "\(first.lowercased()).\(last.lowercased())@example.com" }
    if name.contains("phone") { return "+47 \(10 + draw.below(90)) \(10 + draw.below(90)) \(10 + draw.below(90))" }
    if name.contains("street") || name.contains("address") {
      return "\(draw.pick(nouns).capitalizedFirst) Street \(1 + draw.below(80))"
    }
    return nil
  }

  private static func technical(_ name: String, _ object: MockObject, _ draw: inout MockDraw) -> String? {
    let slug = "\(draw.pick(adjectives))-\(draw.pick(nouns))"
    if name.hasSuffix("at"), name.count > 2, !["format", "stat", "that"].contains(where: name.hasSuffix) {
      return time(&draw)
    }
    if name.hasSuffix("date") || name.hasSuffix("time") { return time(&draw) }
    if name.contains("url") || name.contains("uri") || name.contains("website") || name.contains("link") {
      return "https://example.com/\(object.type.lowercased())/\(slug)"
    }
    if name.contains("cursor") { return MockPage.cursor(draw.below(40)) }
    if name.hasSuffix("sha") || name.hasSuffix("oid") || name.contains("hash") { return draw.hexadecimal(40) }
    if name.contains("token") || name.contains("uuid") || name == "guid" { return uuid(&draw) }
    if name.contains("slug") || name.contains("handle") || name.hasSuffix("key") { return slug }
    if name.contains("namewithowner") { return "\(draw.pick(lastNames).lowercased())/\(slug)" }
    if name.contains("path") || name.contains("file") { return "Sources/\(slug).swift" }
    if name.contains("version") || name.contains("tag") { return "\(draw.below(5)).\(draw.below(20)).\(draw.below(9))" }
    if name.contains("branch") || name.contains("ref") { return draw.pick(["main", "develop", slug]) }
    if name.hasSuffix("id") { return "\(object.type.lowercased())-\(1000 + draw.below(9000))" }
    if name == "name", ["repo", "project", "package"].contains(where: object.type.lowercased().contains) {
      return slug
    }
    return nil
  }

  private static func title(_ draw: inout MockDraw) -> String {
    "\(draw.pick(verbs)) the \(draw.pick(adjectives)) \(draw.pick(nouns))"
  }

  private static func sentence(_ draw: inout MockDraw) -> String {
    "\(draw.pick(verbs)) the \(draw.pick(adjectives)) \(draw.pick(nouns)) before the \(draw.pick(nouns)) is "
      + "\(draw.pick(adjectives))."
  }

  private static func uuid(_ draw: inout MockDraw) -> String {
    [8, 4, 4, 4, 12].map { draw.hexadecimal($0) }.joined(separator: "-")
  }

  private static func time(_ draw: inout MockDraw) -> String {
    "\(date(&draw))T\(two(draw.below(24))):\(two(draw.below(60))):\(two(draw.below(60)))Z"
  }

  private static func date(_ draw: inout MockDraw) -> String {
    "\(2018 + draw.below(8))-\(two(1 + draw.below(12)))-\(two(1 + draw.below(28)))"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

  // MARK: Custom scalars

  private static func custom(
    _ type: String, _ name: String, _ object: MockObject, _ draw: inout MockDraw
  ) -> JSONValue {
    let lowered = type.lowercased()
    if lowered.contains("duration") { return JSONValue("PT\(1 + draw.below(59))M") }
    if lowered.contains("datetime") || lowered.contains("timestamp") { return JSONValue(time(&draw)) }
    if lowered.contains("date") { return JSONValue(date(&draw)) }
    if lowered == "time" { return JSONValue("\(two(draw.below(24))):\(two(draw.below(60))):00") }
    if lowered.contains("uuid") { return JSONValue(uuid(&draw)) }
    if lowered.contains("url") || lowered.contains("uri") {
      return JSONValue("https://example.com/\(name)/\(draw.pick(adjectives))-\(draw.pick(nouns))")
    }
    if lowered.contains("oid") || lowered.contains("sha") || lowered.contains("hash") {
      return JSONValue(draw.hexadecimal(40))
    }
    if lowered.contains("html") { return JSONValue("<p>\(sentence(&draw))</p>") }
    if lowered.contains("email") { return JSONValue(personal("email", object, &draw) ?? "ada@example.com") }
    if lowered.contains("json") || lowered.contains("object") || lowered.contains("map") {
      return .object([("name", JSONValue(draw.pick(nouns))), ("size", JSONValue(draw.below(100)))])
    }
    if lowered.contains("bigint") || lowered.contains("long") || lowered.contains("integer") {
      return JSONValue(number(name, &draw))
    }
    if lowered.contains("decimal") || lowered.contains("money") || lowered.contains("float") {
      return JSONValue("\(draw.below(900)).\(two(draw.below(100)))")
    }
    if lowered.contains("color") || lowered.contains("colour") { return JSONValue("#" + draw.hexadecimal(6)) }
    if lowered.contains("base64") { return JSONValue("bW9jaw==") }
    return JSONValue(text(name, object, &draw))
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
