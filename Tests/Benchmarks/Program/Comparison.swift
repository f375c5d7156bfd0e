/// Alternating runs of equivalent work, so that noise affects all equally, compared with a yardstick in the same run.
///
/// Ratios are computed within each round, and their median is printed. A ratio above 1 is faster than the yardstick.
struct Comparison {
  let title: String
  /// The baseline; nil if it is not installed.
  let yardstick: Workload?
  let works: [Workload]
  let rounds: Int

  init(_ title: String, yardstick: Workload?, works: [Workload], rounds: Int = 15) {
    self.title = title
    self.yardstick = yardstick
    self.works = works
    self.rounds = rounds
  }

  func run() async throws {
    let all = [yardstick].compactMap { $0 } + works
    var costs = [[Cost]](repeating: [], count: all.count)
    // The first round warms up caches and is not counted.
    for round in 0...rounds {
      for (index, work) in all.enumerated() {
        let cost = try await work.run()
        if round > 0 { costs[index].append(cost) }
      }
    }
    var table = Table([title, "min ms", "median ms", "CPU ms", "peak MB", "ratio", "CPU ratio"])
    for (work, own) in zip(all, costs) {
      table.add([
        work.name, Table.number(own.map(\.wall).min() ?? .nan), Table.number(own.map(\.wall).median),
        Table.number(own.map(\.processor).median), Table.number(own.compactMap(\.memory).max() ?? .nan),
        ratio(costs[0], own, \.wall), ratio(costs[0], own, \.processor),
      ])
    }
    table.print()
  }

  private func ratio(_ yardstick: [Cost], _ own: [Cost], _ value: (Cost) -> Double) -> String {
    self.yardstick == nil ? "–" : Table.number(zip(yardstick, own).map { value($0) / value($1) }.median) + "×"
  }
}
