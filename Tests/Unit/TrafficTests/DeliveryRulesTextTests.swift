import Testing

@testable import ApusClientTraffic

/// Every row of the table of rules as text, and every reason against a line.
struct DeliveryRulesTextTests {
  private typealias Rule = DeliveryRules.Rule

  private static let rows: [(line: String, selector: DeliveryRules.Selector, action: DeliveryRules.Action)] = [
    ("delay 2s", .everyPayload, .delay(.seconds(2))),
    ("delay 1.5s", .everyPayload, .delay(.milliseconds(1500))),
    ("delay label=reviews:500ms", .label("reviews"), .delay(.milliseconds(500))),
    ("delay label=Query$a:b:2s", .label("Query$a:b"), .delay(.seconds(2))),
    ("delay field=Product.price:1s", .field(type: "Product", name: "price"), .delay(.seconds(1))),
    ("delay field=price:1s", .field(type: nil, name: "price"), .delay(.seconds(1))),
    ("fail label=reviews", .label("reviews"), .fail), ("drop label=two words", .label("two words"), .drop),
  ]

  @Test func `a line is a rule, with the text of the option`() throws {
    for (line, selector, action) in Self.rows {
      let rules = try DeliveryRules(lines: [line])
      #expect(rules.rules == [Rule(selector, action, text: "--\(line)")])
      #expect(rules.lines == [line])
    }
  }

  @Test func `the other rules are values, and operations add up`() throws {
    let lines = ["cut-after 2", "status 503", "hold", "for Birds", "for Owls"]
    let rules = try DeliveryRules(lines: lines)
    #expect(rules.cutAfter == 2 && rules.status == 503 && rules.holds && rules.operations == ["Birds", "Owls"])
    #expect(rules.lines == lines)
    #expect(try DeliveryRules(lines: ["", " ", "\t"]) == DeliveryRules())
    #expect(DeliveryRules().lines.isEmpty)
  }

  @Test(arguments: ["--delay 2s", "--delay=2s", "  delay   2s ", "delay=2s", "\tdelay\t2s"])
  func `dashes, an equals sign and space make no difference`(_ line: String) throws {
    #expect(try DeliveryRules(lines: [line]) == DeliveryRules(lines: ["delay 2s"]))
  }

  private static let begins = "a rule begins with delay, fail, drop, cut-after, status, hold or for"
  private static let time = "delay takes a time, as in 2s, label=reviews:500ms or field=Product.price:1s"
  private static let label = "takes the label of a fragment or stream, as in label=reviews"

  @Test(arguments: [
    ("dely 2s", begins), ("-delay 2s", begins), ("delay2s", begins), ("--", begins), ("2s", begins),
    ("Delay 2s", begins),
    ("delay", time), ("delay 2", time), ("delay 2m", time), ("delay label=a", time), ("delay label=:1s", time),
    ("delay field=a.b.c:1s", time), ("delay field=:1s", time), ("delay other=a:1s", time), ("delay 99999999s", time),
    ("delay -1s", time), ("delay .s", time),
    ("fail", "fail \(label)"), ("fail field=a", "fail \(label)"), ("drop a", "drop \(label)"),
    ("cut-after 0", "cut-after takes a number of one or more"),
    ("cut-after", "cut-after takes a number of one or more"),
    ("status 99", "status takes a status from 200 to 599"), ("status 600", "status takes a status from 200 to 599"),
    ("status +200", "status takes a status from 200 to 599"), ("hold 2", "hold takes no value"),
    ("for", "for takes the name of an operation, as in Birds"),
    ("for A B", "for takes the name of an operation, as in Birds"),
    ("status 500", "status can be used once"), ("cut-after 3", "cut-after can be used once"),
  ])
  func `another line is refused with the expected form`(_ line: String, _ reason: String) {
    let error = #expect(throws: DeliveryRules.LineError.self) {
      try DeliveryRules(lines: ["status 404", "cut-after 1", "", line])
    }
    #expect(error == .init(line: 3, reason: reason))
  }

  @Test func `operations alone are refused`() {
    let error = #expect(throws: DeliveryRules.LineError.self) { try DeliveryRules(lines: ["", "for A", ""]) }
    #expect(
      error == .init(line: 1, reason: "for restricts other rules: add delay, fail, drop, cut-after, status or hold"))
  }
}
