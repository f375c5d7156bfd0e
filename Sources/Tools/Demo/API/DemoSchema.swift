/// The type system of the demo API, as the SDL that its server is built from.
package enum DemoSchema {
  package static let sdl = #"""
    """
    Bird migration: birds with rings, the stations that ringed them, their flights, and who saw them where.

    Everything is made up from a fixed seed, so the same question has the same answer on every start.
    """
    schema {
      query: Query
      mutation: Mutation
      subscription: Subscription
    }

    "Deliver this fragment later, in a part of its own."
    directive @defer(
      "Defer only when this is true."
      if: Boolean! = true
      "Names the fragment in the parts that deliver it."
      label: String
    ) on FRAGMENT_SPREAD | INLINE_FRAGMENT

    "Deliver the items of this list as they become ready."
    directive @stream(
      "Stream only when this is true."
      if: Boolean! = true
      "Names the list in the parts that deliver its items."
      label: String
      "How many items the first part holds."
      initialCount: Int! = 0
    ) on FIELD

    "A point in time in UTC, as ISO 8601 writes it: `2025-04-19T06:30:00Z`."
    scalar DateTime @specifiedBy(url: "https://scalars.graphql.org/andimarek/date-time.html")

    "An absolute web address."
    scalar URL @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc3986")

    """
    A place on Earth in degrees: `{"latitude": 56.2, "longitude": 16.4}`.
    As an input, `"56.2,16.4"` is taken too.
    """
    scalar Coordinates

    "Something with an id that is unique in this whole API."
    interface Node {
      "Unique over all types. It never changes."
      id: ID!
    }

    "Something that has a place."
    interface Located {
      "Where it is."
      coordinates: Coordinates!
    }

    "Male, female, or not told apart in the field."
    enum Sex {
      "A female bird."
      FEMALE
      "A male bird."
      MALE
      "Not told apart in the field."
      UNKNOWN
    }

    "How threatened a species is, as the Red List says it."
    enum ConservationStatus {
      "Widespread and not at risk."
      LEAST_CONCERN
      "May soon be at risk."
      NEAR_THREATENED
      "At high risk in the wild."
      VULNERABLE
      "At very high risk in the wild."
      ENDANGERED
      "At the edge of extinction."
      CRITICALLY_ENDANGERED
      "The old name of `NEAR_THREATENED`."
      LOWER_RISK @deprecated(reason: "The Red List dropped it. Use NEAR_THREATENED.")
    }

    "The language of a common name."
    enum Language {
      "English."
      ENGLISH
      "Swedish."
      SWEDISH
      "Spanish."
      SPANISH
      "Japanese."
      JAPANESE
    }

    "What kind of place a station is."
    enum StationKind {
      "A manned observatory."
      OBSERVATORY
      "Nets only, manned in the season."
      NETTING_SITE
      "A hide at the water."
      WETLAND_HIDE
    }

    "A unit of length."
    enum LengthUnit {
      "Hundredths of a metre."
      CENTIMETRE
      "2.54 centimetres."
      INCH
    }

    "What a bird did when it was seen."
    enum Behaviour {
      "Eating."
      FEEDING
      "In the air, on its way."
      MIGRATING
      "Sitting still, or asleep."
      RESTING
      "Heard rather than seen."
      SINGING
    }

    "Which way to sort."
    enum OrderDirection {
      "Smallest first."
      ASCENDING
      "Largest first."
      DESCENDING
    }

    "What birds can be sorted by."
    enum BirdOrderField {
      "By id, which is the order of ringing."
      ID
      "By name, as Unicode orders it."
      NAME
      "By weight."
      WEIGHT
      "By the day of ringing."
      RINGED_AT
    }

    "The kinds of things that a search finds."
    enum SearchKind {
      "Birds, by name or ring."
      BIRD
      "Species, by any of their names."
      SPECIES
      "Stations, by name or country."
      STATION
    }

    "What a search finds."
    union SearchResult = Bird | Species | Station

    "Picks birds; every field that is given must match."
    input BirdFilter {
      "Part of the name, in any case."
      nameContains: String
      "The ids of species, any of them."
      species: [ID!]
      "The id of the station that ringed it."
      station: ID
      "The sex."
      sex: Sex
      "The conservation status of its species."
      status: ConservationStatus
      "Ringed on this day or later."
      ringedSince: DateTime
      "Grams, at least."
      weightAtLeast: Float
      "Old name of `nameContains`."
      name: String @deprecated(reason: "Use nameContains.")
    }

    "How birds are sorted."
    input BirdOrder {
      "What to sort by."
      field: BirdOrderField! = ID
      "Which way."
      direction: OrderDirection! = ASCENDING
    }

    "Exactly one way to name a bird."
    input BirdLookup @oneOf {
      "By id."
      id: ID
      "By the number on the ring."
      ring: String
      "By name; the first one that has it."
      name: String
    }

    "A bird to put a ring on."
    input RingBirdInput {
      "What to call it."
      name: String!
      "The id of its species."
      species: ID!
      "The id of the station where it was caught."
      station: ID!
      "Its sex, if that can be told."
      sex: Sex! = UNKNOWN
      "Grams."
      weight: Float
      "When; now, if left out."
      ringedAt: DateTime
    }

    "A bird that was seen."
    input RecordObservationInput {
      "The id of the bird."
      bird: ID!
      "The id of the station nearby."
      station: ID!
      "Who saw it."
      observer: String!
      "What it did."
      behaviour: Behaviour! = RESTING
      "Where exactly; the station's own place, if left out."
      coordinates: Coordinates
      "Anything else."
      remark: String
    }

    "A kind of bird."
    type Species implements Node {
      "Unique over all types."
      id: ID!
      "Genus and species in Latin."
      scientificName: String!
      "The name that people use."
      commonName(
        "In this language."
        language: Language! = ENGLISH
      ): String!
      "All the common names, in the order of the languages."
      commonNames: [String!]!
      "The family in Latin."
      family: String!
      "How threatened it is."
      status: ConservationStatus!
      "From wing tip to wing tip."
      wingspan(
        "In this unit."
        unit: LengthUnit! = CENTIMETRE
      ): Float!
      "Kilometres that it flies each way, each year."
      journey: Int!
      "A page about it."
      page: URL!
      "Where it breeds and winters. Slow: asks an old atlas."
      range: SpeciesRange!
      "Its ringed birds."
      birds(
        "How many, from the front."
        first: Int
        "After this cursor."
        after: String
      ): BirdConnection!
      "How many of its birds carry a ring."
      birdCount: Int!
      "The scientific name."
      latinName: String! @deprecated(reason: "Use scientificName.")
    }

    "Where a species lives through the year."
    type SpeciesRange {
      "Where it breeds."
      breeding: [String!]!
      "Where it winters."
      wintering: [String!]!
      "Square kilometres of both together."
      area: Float!
    }

    "A place where birds are caught, ringed and counted."
    type Station implements Node & Located {
      "Unique over all types."
      id: ID!
      "Its name, as the people there write it."
      name: String!
      "The country, in English."
      country: String!
      "What kind of place it is."
      kind: StationKind!
      "Where it is."
      coordinates: Coordinates!
      "The year of its foundation."
      founded: Int!
      "Its web page; some have none."
      website: URL
      "How many birds got their ring here."
      birdCount: Int!
      "The weather there now. Slow: the instruments answer when they like."
      weather: Weather!
      "The latest observations there, newest first."
      observations(
        "How many."
        limit: Int! = 5
      ): [Observation!]!
    }

    "What the instruments of a station say."
    type Weather {
      "Degrees Celsius."
      temperature: Float!
      "Metres per second."
      windSpeed: Float!
      "Where the wind comes from: N, NE, E, …"
      windDirection: String!
      "In words, with a picture."
      summary: String!
      "When it was measured."
      measuredAt: DateTime!
    }

    "A bird with a ring on its leg."
    type Bird implements Node {
      "Unique over all types."
      id: ID!
      "What the ringers call it."
      name: String!
      "The number on its ring."
      ring: String!
      "Its kind."
      species: Species!
      "Its sex."
      sex: Sex!
      "Grams, when it was ringed; not every bird holds still on the scales."
      weight: Float
      "Where it got its ring."
      station: Station!
      "When it got its ring."
      ringedAt: DateTime!
      "The bird it travels with, if it has one."
      companion: Bird
      "What the ringer wrote down."
      notes: String
      "Its flights, oldest first."
      flights(
        "How many, from the oldest."
        first: Int
      ): [Flight!]!
      "The latest observation."
      lastSeen: Observation
      "Its whole life on the wing. Slow: adds up every flight."
      migrationHistory: MigrationHistory!
      "Fields that fail, to see what errors look like here."
      faults: Faults!
      "Its name."
      nickname: String @deprecated(reason: "Birds have one name. Use name.")
    }

    "All flights of a bird, added up."
    type MigrationHistory {
      "Kilometres in all."
      totalDistance: Float!
      "How many flights."
      flightCount: Int!
      "Metres a second in its fastest flight."
      topSpeed: Float!
      "The stations it came by, in order, each once."
      stations: [Station!]!
      "A year after the other. Each one takes a while: worth `@stream`."
      years: [MigrationYear!]!
    }

    "One year of a bird."
    type MigrationYear {
      "The year."
      year: Int!
      "Kilometres in that year."
      distance: Float!
      "Its flights in that year."
      flights: [Flight!]!
    }

    "One leg of a bird's way."
    type Flight implements Node {
      "Unique over all types."
      id: ID!
      "Who flew."
      bird: Bird!
      "From where."
      from: Station!
      "To where."
      to: Station!
      "When it left."
      departedAt: DateTime!
      "When it came."
      arrivedAt: DateTime!
      "Kilometres along the great circle."
      distance: Float!
      "Metres a second on average."
      speed: Float!
      "Points along the way. Each one takes a while: worth `@stream`."
      track: [Coordinates!]!
    }

    "A bird, seen by someone at some time."
    type Observation implements Node & Located {
      "Unique over all types."
      id: ID!
      "Who was seen."
      bird: Bird!
      "The station nearby."
      station: Station!
      "Who saw it."
      observer: String!
      "When."
      observedAt: DateTime!
      "What the bird did."
      behaviour: Behaviour!
      "Where exactly."
      coordinates: Coordinates!
      "Anything else."
      remark: String
    }

    "Fields that fail, to see what errors look like."
    type Faults {
      "Fails, and leaves a null behind."
      optional(
        "What the error says."
        message: String! = "The instrument gave no answer."
      ): String
      "Fails, and takes its parent with it, up to the next field that may be null or the edge of a deferred fragment."
      required(
        "What the error says."
        message: String! = "The logbook is lost."
      ): String!
      "Three items, of which the second fails."
      list: [String]!
      "Fails after a while, so that the error comes late."
      late(
        "Milliseconds to wait."
        milliseconds: Int! = 1000
      ): String
    }

    "Where a page of a list begins and ends, and what lies beyond."
    type PageInfo {
      "There is more behind the last edge."
      hasNextPage: Boolean!
      "There is more before the first edge."
      hasPreviousPage: Boolean!
      "The first edge's cursor."
      startCursor: String
      "The last edge's cursor."
      endCursor: String
    }

    "A page of birds."
    type BirdConnection {
      "The birds with their cursors."
      edges: [BirdEdge!]!
      "The birds alone."
      nodes: [Bird!]!
      "Where this page is."
      pageInfo: PageInfo!
      "How many birds there are on all pages."
      totalCount: Int!
    }

    "A bird and its place in the list."
    type BirdEdge {
      "Its place, for `after` and `before`."
      cursor: String!
      "The bird."
      node: Bird!
    }

    "Where every question starts."
    type Query {
      "Anything by its id."
      node(
        "An id of any type."
        id: ID!
      ): Node
      "Several things by their ids, null where there is none."
      nodes(
        "Ids of any type."
        ids: [ID!]!
      ): [Node]!
      "One bird."
      bird(
        "The bird's id."
        id: ID!
      ): Bird
      "One bird, by exactly one of the ways to name it."
      birdBy(
        "How to find it."
        lookup: BirdLookup!
      ): Bird
      "All birds, page by page, from either end."
      birds(
        "How many, from the front; 100 at most."
        first: Int
        "After this cursor."
        after: String
        "How many, from the end; 100 at most."
        last: Int
        "Before this cursor."
        before: String
        "Which birds."
        filter: BirdFilter
        "In which order."
        orderBy: BirdOrder! = {field: ID, direction: ASCENDING}
      ): BirdConnection!
      "One species."
      species(
        "The species' id."
        id: ID!
      ): Species
      "All species."
      allSpecies(
        "Only those with this status."
        status: ConservationStatus
      ): [Species!]!
      "One station."
      station(
        "The station's id."
        id: ID!
      ): Station
      "All stations."
      stations: [Station!]!
      "Observations, newest first, by offset."
      observations(
        "How many to leave out."
        offset: Int! = 0
        "How many to show; 100 at most."
        limit: Int! = 20
      ): [Observation!]!
      "How many observations there are."
      observationCount: Int!
      "Birds, species and stations whose names hold the text."
      search(
        "Part of a name, in any case."
        text: String!
        "Only these kinds."
        kinds: [SearchKind!]
        "How many at most."
        first: Int! = 10
      ): [SearchResult!]!
      "Fails with this message."
      fail(
        "What the error says."
        message: String! = "This field always fails."
      ): String
      "Fields that fail, to see what errors look like."
      faults: Faults!
      "Answers after a while."
      slow(
        "Milliseconds to wait."
        milliseconds: Int! = 1000
      ): String!
      "All birds in one list."
      allBirds: [Bird!]! @deprecated(reason: "A thousand birds at once. Use birds, page by page.")
    }

    "What can be changed. All changes are forgotten when the server stops."
    type Mutation {
      "Puts a ring on a bird."
      ringBird(
        "The bird."
        input: RingBirdInput!
      ): RingBirdPayload!
      "Gives a bird another name."
      renameBird(
        "The bird's id."
        id: ID!
        "Its new name."
        name: String!
      ): RenameBirdPayload!
      "Writes down that a bird was seen."
      recordObservation(
        "What was seen."
        input: RecordObservationInput!
      ): RecordObservationPayload!
      "Takes a bird out of the books, its observations and flights too."
      deleteBird(
        "The bird's id."
        id: ID!
      ): DeleteBirdPayload!
    }

    "What `ringBird` did."
    type RingBirdPayload {
      "The new bird."
      bird: Bird!
      "The station, with its new count."
      station: Station!
    }

    "What `renameBird` did."
    type RenameBirdPayload {
      "The bird with its new name."
      bird: Bird!
      "The name before."
      previousName: String!
    }

    "What `recordObservation` did."
    type RecordObservationPayload {
      "The new observation."
      observation: Observation!
    }

    "What `deleteBird` did."
    type DeleteBirdPayload {
      "The id of the bird that is gone."
      deletedId: ID!
      "How many birds are left."
      remainingCount: Int!
    }

    "What can be listened to."
    type Subscription {
      "Observations as they come in: those that are recorded, and one that someone somewhere makes every few seconds."
      observationAdded(
        "Only near this station."
        station: ID
      ): Observation!
      "Birds as they get their rings."
      birdRinged: Bird!
      "Counts down to zero, and ends."
      countdown(
        "The first number."
        from: Int! = 5
        "Milliseconds between two numbers."
        milliseconds: Int! = 500
      ): Int!
    }
    """#
}
