import Synchronization

/// The data of the demo API: created from a seed, changed by mutations, and kept in memory only.
final class DemoDatabase: Sendable {
  /// A snapshot of the data. Copies share unchanged parts.
  struct State: Sendable {
    /// The birds in the order of ringing.
    var birds: [Bird] = []
    /// Deleted birds by number, so that their cursors stay valid.
    var deletedBirds: [Int: Bird] = [:]
    /// Oldest first.
    var observations: [Observation] = []
    var nextBird = 1
    var nextObservation = 1
    fileprivate var placeOfBird: [Int: Int] = [:]

    func bird(_ number: Int) -> Bird? {
      placeOfBird[number].map { birds[$0] }
    }

    fileprivate mutating func index() {
      placeOfBird = Dictionary(uniqueKeysWithValues: birds.enumerated().map { ($1.number, $0) })
    }
  }

  static let birdCount = 1248
  static let observationCount = 640
  /// The start of the data's timeline, which does not depend on the current date.
  static let epoch = UTCTime(year: 2025, month: 9, day: 1, hour: 6)

  private let state: Mutex<State>
  let observationFeed = Feed<Observation>()
  let ringingFeed = Feed<Bird>()

  init(seed: UInt64 = 1758) {
    state = Mutex(Self.makeState(seed: seed))
  }

  var now: State { state.withLock { $0 } }

  // MARK: Changes

  func ring(
    name: String, species: Int, station: Int, sex: String, weight: Double?, at time: UTCTime
  ) -> Bird {
    let bird = state.withLock { state in
      let bird = Bird(
        number: state.nextBird, name: name, ring: Self.ringText(state.nextBird), species: species, sex: sex,
        weight: weight, station: station, ringedAt: time, companion: nil, notes: nil)
      state.nextBird += 1
      state.birds.append(bird)
      state.index()
      return bird
    }
    ringingFeed.send(bird)
    return bird
  }

  /// Returns the bird before and after the change.
  func rename(_ number: Int, to name: String) -> (before: Bird, after: Bird)? {
    state.withLock { state in
      guard let place = state.placeOfBird[number] else { return nil }
      let before = state.birds[place]
      state.birds[place].name = name
      return (before, state.birds[place])
    }
  }

  func record(
    bird: Int, station: Int, observer: String, behaviour: String, coordinates: Coordinates, remark: String?,
    at time: UTCTime
  ) -> Observation {
    let observation = state.withLock { state in
      let observation = Observation(
        number: state.nextObservation, bird: bird, station: station, observer: observer, observedAt: time,
        behaviour: behaviour, coordinates: coordinates, remark: remark)
      state.nextObservation += 1
      state.observations.append(observation)
      return observation
    }
    observationFeed.send(observation)
    return observation
  }

  /// Returns the number of remaining birds, or nil if there is no such bird.
  func delete(_ number: Int) -> Int? {
    state.withLock { state in
      guard let place = state.placeOfBird[number] else { return nil }
      state.deletedBirds[number] = state.birds.remove(at: place)
      state.observations.removeAll { $0.bird == number }
      for index in state.birds.indices where state.birds[index].companion == number {
        state.birds[index].companion = nil
      }
      state.index()
      return state.birds.count
    }
  }

  // MARK: Derived data

  /// Returns the flights of a bird, generated on request from its number.
  static func flights(of bird: Bird) -> [Flight] {
    var generator = SeededGenerator(seed: 0xF11 &+ UInt64(bird.number) &* 7919)
    var place = NaturalHistory.stations[bird.station]
    var time = bird.ringedAt
    return (0..<generator.int(2..<9)).map { ordinal in
      var next = generator.pick(NaturalHistory.stations)
      if next.index == place.index { next = NaturalHistory.stations[(next.index + 7) % NaturalHistory.stations.count] }
      let departure = time.adding(hours: generator.int(24 * 20..<24 * 110))
      let speed = generator.tenths(9..<22)
      let hours = place.coordinates.distance(to: next.coordinates) / (speed * 3.6)
      let arrival = UTCTime(seconds: departure.seconds + Int(hours * 3600))
      defer { (place, time) = (next, arrival) }
      return Flight(
        bird: bird.number, ordinal: ordinal, from: place, to: next, departedAt: departure, arrivedAt: arrival)
    }
  }

  // MARK: Initial data

  private static func makeState(seed: UInt64) -> State {
    var generator = SeededGenerator(seed: seed)
    var state = State()
    var names = Set<String>()
    for number in 1...birdCount {
      let species = generator.pick(NaturalHistory.species)
      var name = ""
      repeat {
        name = "\(generator.pick(NaturalHistory.firstNames)) \(generator.pick(NaturalHistory.bynames))"
      } while !names.insert(name).inserted
      let heavy = species.weight
      state.birds.append(
        Bird(
          number: number, name: name, ring: ringText(number), species: species.index,
          sex: generator.pick(["FEMALE", "MALE", "UNKNOWN"]),
          weight: generator.chance(oneIn: 9) ? nil : generator.tenths(heavy),
          station: generator.int(0..<NaturalHistory.stations.count),
          ringedAt: UTCTime(year: 2015).adding(hours: number * 70 + generator.int(0..<60)),
          companion: number > 1 && generator.chance(oneIn: 4) ? generator.int(1..<number) : nil,
          notes: generator.chance(oneIn: 5) ? generator.pick(NaturalHistory.notes) : nil))
    }
    state.nextBird = birdCount + 1
    for number in 1...observationCount {
      let station = generator.pick(NaturalHistory.stations)
      state.observations.append(
        observation(
          number: number, bird: generator.int(1..<birdCount + 1), station: station,
          time: epoch.adding(hours: (number - observationCount) * 5), with: &generator))
    }
    state.nextObservation = observationCount + 1
    state.index()
    return state
  }

  private static func observation(
    number: Int, bird: Int, station: Station, time: UTCTime, with generator: inout SeededGenerator
  ) -> Observation {
    let place = Coordinates(
      latitude: (station.coordinates.latitude + generator.tenths(0..<5) / 100).rounded(toPlaces: 4),
      longitude: (station.coordinates.longitude + generator.tenths(0..<5) / 100).rounded(toPlaces: 4))
    return Observation(
      number: number, bird: bird, station: station.index, observer: generator.pick(NaturalHistory.observers),
      observedAt: time, behaviour: generator.pick(NaturalHistory.behaviours), coordinates: place,
      remark: generator.chance(oneIn: 3) ? generator.pick(NaturalHistory.remarks) : nil)
  }

  /// Adds a simulated observation, which depends only on `count`.
  func simulateObservation(_ count: Int) {
    var generator = SeededGenerator(seed: 0x0B5 &+ UInt64(count))
    let birds = now.birds
    guard !birds.isEmpty else { return }
    let bird = birds[generator.int(0..<birds.count)]
    let station = generator.pick(NaturalHistory.stations)
    _ = record(
      bird: bird.number, station: station.index, observer: generator.pick(NaturalHistory.observers),
      behaviour: generator.pick(NaturalHistory.behaviours), coordinates: station.coordinates,
      remark: generator.chance(oneIn: 3) ? generator.pick(NaturalHistory.remarks) : nil,
      at: Self.epoch.adding(hours: count + 1))
  }

  private static func ringText(_ number: Int) -> String {
    let digits = String(410_000 + number * 7)
    return "AP·\(digits.prefix(3))·\(digits.dropFirst(3))"
  }
}
