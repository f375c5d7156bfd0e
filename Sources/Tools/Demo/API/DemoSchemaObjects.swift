extension DemoSchema {
  /// The object types.
  static let objects = #"""
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
      "Its conservation status."
      status: ConservationStatus!
      "Wing tip to wing tip."
      wingspan(
        "In this unit."
        unit: LengthUnit! = CENTIMETRE
      ): Float!
      "Kilometres that it flies each way, each year."
      journey: Int!
      "A page about it."
      page: URL!
      "Breeding and wintering areas. Slow: read from an old atlas."
      range: SpeciesRange!
      "Its ringed birds."
      birds(
        "How many, from the front."
        first: Int
        "After this cursor."
        after: String
      ): BirdConnection!
      "Number of its ringed birds."
      birdCount: Int!
      "The scientific name."
      latinName: String! @deprecated(reason: "Use scientificName.")
    }

    "The areas of a species over the year."
    type SpeciesRange {
      "Breeding areas."
      breeding: [String!]!
      "Wintering areas."
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
      "The kind of station."
      kind: StationKind!
      "Its location."
      coordinates: Coordinates!
      "The year of its foundation."
      founded: Int!
      "Its web page; some have none."
      website: URL
      "Number of birds ringed here."
      birdCount: Int!
      "The weather there now. Slow: the instruments answer when they like."
      weather: Weather!
      "The latest observations there, newest first."
      observations(
        "How many."
        limit: Int! = 5
      ): [Observation!]!
    }

    "The measurements of a station."
    type Weather {
      "Degrees Celsius."
      temperature: Float!
      "Metres per second."
      windSpeed: Float!
      "Wind direction: N, NE, E, …"
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
      "The name that the ringers gave it."
      name: String!
      "The number on its ring."
      ring: String!
      "Its kind."
      species: Species!
      "Its sex."
      sex: Sex!
      "Grams, when it was ringed; not every bird holds still on the scales."
      weight: Float
      "The station that ringed it."
      station: Station!
      "When it got its ring."
      ringedAt: DateTime!
      "The bird it travels with, if it has one."
      companion: Bird
      "The notes of the ringer."
      notes: String
      "Its flights, oldest first."
      flights(
        "How many, from the oldest."
        first: Int
      ): [Flight!]!
      "The latest observation."
      lastSeen: Observation
      "Its flights in total. Slow: adds up every flight."
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
      "Number of flights."
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
      "The bird."
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
      "The observed bird."
      bird: Bird!
      "The station nearby."
      station: Station!
      "The observer."
      observer: String!
      "When."
      observedAt: DateTime!
      "The behavior of the bird."
      behaviour: Behaviour!
      "The exact location."
      coordinates: Coordinates!
      "Anything else."
      remark: String
    }

    "Fields that fail, to see what errors look like."
    type Faults {
      "Fails and returns null."
      optional(
        "The message of the error."
        message: String! = "The instrument gave no answer."
      ): String
      "Fails and makes its parent null, up to the next nullable field or deferred fragment."
      required(
        "The message of the error."
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

    "The position of a page in a list."
    type PageInfo {
      "Whether there are more edges after the last one."
      hasNextPage: Boolean!
      "Whether there are more edges before the first one."
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
      "The position of this page."
      pageInfo: PageInfo!
      "Number of birds on all pages."
      totalCount: Int!
    }

    "A bird and its place in the list."
    type BirdEdge {
      "Its place, for `after` and `before`."
      cursor: String!
      "The bird."
      node: Bird!
    }
    """#
}
