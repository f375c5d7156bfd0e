import ApusExplorerCore
import Testing

@Suite struct ScreenTests {
  @Test func `screen is laid out at 60 x 16`() {
    expectScreen(
      BirdStation.state(after: BirdStation.running), 60, 16,
      """
      ━ 1 Query ━ 2 Variables ━ 6 Headers ━━━━━━━━━━━━━ 31 types ━
        1 query Birds($first: Int = 2) {                         █
        2   station(id: "S1") {                                  █
        3     name                                               █
        4     birds(first: $first) {                             █
        5       edges { node { id ring ...Flights @defer(label: ›█
        6       pageInfo { hasNextPage endCursor }
        7     }
      ─ 3 Response ⠋ ─ 4 Deferred ◌2 ─ 5 Cache ───────────────────
       ▾ station  Station                                        █
           name: "Falsterbo"
         ▾ birds  ↓
           ▾ edges  [2]
             ▾ 0
       http://localhost:400… ⠋ receiving  1 payload  12 ms  320 B
       Ctrl-C cancel  F5 run  Tab complete  Alt-f format
      """)
  }
  @Test func `screen is laid out at 80 x 24`() {
    expectScreen(
      BirdStation.state(after: BirdStation.running + [.run(1, .resultReceived(BirdStation.second))]), 80, 24,
      """
      ━ 1 Query ━━━━━━━━━━━━━━━ 31 types ━│─ 3 Response ⠋ ────────────────────────────
        1 query Birds($first: Int = 2) {  │ ▾ station  Station                       █
        2   station(id: "S1") {           │     name: "Falsterbo"                    █
        3     name                        │   ▾ birds  ↓                             █
        4     birds(first: $first) {      │     ▾ edges  [2]                         █
        5       edges { node { id ring ..›│       ▾ 0                                █
        6       pageInfo { hasNextPage en›│         ▾ node  Bird  ● flights          █
        7     }                           │             id: "12"                     █
        8   }                             │             ring: "A-1"                  █
        9 }                               │           ▾ flights  [1]                 █
                                          │             ▾ 0                          █
                                          │                 to: "S2"                 █
                                          │                 km: 120.50               █
                                          │       ▾ 1
                                          │         ▾ node  Bird
                                          │             id: "13"
                                          │             ring: "鳥-2"
      ─ 2 Variables ─ 6 Headers ──────────│─ 4 Deferred ◌1 ●1 ─ 5 Cache ──────────────
        1 {                               │                ┴─────────────▼ 421 ms
        2   "first": 2                    │  ● flights [0] ━━━━━━━━━━━━━━━ 421 ms
        3 }                               │  ◌ flights [1] ━━━━━━━━━━━━━━━ pending
                                          │
       http://localhost:4000/gra…  query Birds ⠋ receiving  2 payloads  421 ms  430 B
       Ctrl-C cancel  F5 run  Tab complete  Alt-f format  Ctrl-P commands
      """)
  }
  @Test func `an unread cache is not shown as empty`() {
    let unread = screen(BirdStation.state(), 120, 40).joined()
    #expect(unread.contains("Loading the cache") && !unread.contains("The cache is empty"))
    let read = screen(BirdStation.state(after: []), 120, 40).joined()
    #expect(read.contains("The cache is empty") && !read.contains("Loading the cache"))
  }

  @Test func `screen is laid out at 120 x 40`() {
    expectScreen(
      BirdStation.state(
        after: BirdStation.running + [
          .run(1, .resultReceived(BirdStation.second)), .run(1, .resultReceived(BirdStation.third)),
          .run(1, .completed),
          .commandInvoked(.focusResponse),
        ]), 120, 40,
      """
      ─ 1 Query ───────────────────────────────── 31 types ─│━ 3 Response ✗ ━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 2 items, n for more ━
        1 query Birds($first: Int = 2) {                    │▌▾ station  Station                                             █
        2   station(id: "S1") {                             │     name: "Falsterbo"                                          █
        3     name                                          │   ▾ birds  ↓                                                   █
        4     birds(first: $first) {                        │     ▾ edges  [2]                                               █
        5       edges { node { id ring ...Flights @defer(la›│       ▾ 0                                                      █
        6       pageInfo { hasNextPage endCursor }          │         ▾ node  Bird  ● flights                                █
        7     }                                             │             id: "12"                                           █
        8   }                                               │             ring: "A-1"                                        █
        9 }                                                 │           ▾ flights  [1]                                       █
                                                            │             ▾ 0                                                █
                                                            │                 to: "S2"                                       █
                                                            │                 km: 120.50                                     █
                                                            │       ▾ 1                                                      █
                                                            │         ▾ node  Bird  ✗ flights                                █
                                                            │             id: "13"                                           █
                                                            │             ring: "鳥-2"                                       █
                                                            │             ✗ The flights are lost                             █
                                                            │     ▾ pageInfo                                                 █
                                                            │         hasNextPage: true
                                                            │─ 4 Deferred ●1 ✗1 ──────────────────────────────────────────────
                                                            │                ┴───────────┴─────────────▼ 900 ms
                                                            │  ● flights [0] ━━━━━━━━━━━━━               421 ms (own 409 ms)
                                                            │  ✗ flights [1] ━━━━━━━━━━━━━━━━━━━━━━━━━━━ 900 ms (own 888 ms)
                                                            │─ 5 Cache ───────────────────────────────────────────────────────
                                                            │
                                                            │
                                                            │
                                                            │
                                                            │
                                                            │                       The cache is empty
                                                            │
                                                            │
      ─ 2 Variables ─ 6 Headers ────────────────────────────│
        1 {                                                 │
        2   "first": 2                                      │
        3 }                                                 │
                                                            │
       http://localhost:4000/graphql │ network only  query Birds      ◐ partial errors  3 payloads  900 ms  540 B   ✗ 1 error
       F5 run  Enter open  n next page  N all pages  c copy  / search  | jq  t table  Ctrl-P commands  F6 next pane  F1 help
      """)
  }
}
