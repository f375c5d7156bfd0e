/// The schema of the demo API, as the SDL that its server is built from.
package enum DemoSchema {
  package static let sdl = [values, objects, operations].joined(separator: "\n\n")

  /// Scalars, enums, input objects and interfaces.
  private static let values = #"""
    """
    Bird migration: birds with rings, the stations that ringed them, their flights, and who saw them where.

    Everything is made up from a fixed seed, so the same question has the same answer on every start.
    """
    schema {
      query: Query
      mutation: Mutation
      subscription: Subscription
    }

    "Deliver this fragment later, in a separate payload."
    directive @defer(
      "Defer only when this is true."
      if: Boolean! = true
      "Identifies the fragment in the payloads that deliver it."
      label: String
    ) on FRAGMENT_SPREAD | INLINE_FRAGMENT

    "Deliver the items of this list as they become ready."
    directive @stream(
      "Stream only when this is true."
      if: Boolean! = true
      "Identifies the list in the payloads that deliver its items."
      label: String
      "The number of items in the initial result."
      initialCount: Int! = 0
    ) on FIELD

    "A point in time in UTC, as ISO 8601 writes it: `2025-04-19T06:30:00Z`."
    scalar DateTime @specifiedBy(url: "https://scalars.graphql.org/andimarek/date-time.html")

    "An absolute web address."
    scalar URL @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc3986")

    """
    A location on Earth in degrees: `{"latitude": 56.2, "longitude": 16.4}`.
    As an input, `"56.2,16.4"` is also accepted.
    """
    scalar Coordinates

    "A file, sent as a part of a GraphQL multipart request."
    scalar Upload @specifiedBy(url: "https://github.com/jaydenseric/graphql-multipart-request-spec")

    "Something with an id that is unique in this whole API."
    interface Node {
      "Unique over all types. It never changes."
      id: ID!
    }

    "An object with a location."
    interface Located {
      "Its location."
      coordinates: Coordinates!
    }

    "Male, female, or not determined in the field."
    enum Sex {
      "A female bird."
      FEMALE
      "A male bird."
      MALE
      "Not determined in the field."
      UNKNOWN
    }

    "Conservation status according to the Red List."
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

    "The kind of a station."
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

    "The behavior of an observed bird."
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

    "The sort direction."
    enum OrderDirection {
      "Smallest first."
      ASCENDING
      "Largest first."
      DESCENDING
    }

    "The sort keys of birds."
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

    "A search result."
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

    "Sort order of birds."
    input BirdOrder {
      "The sort key."
      field: BirdOrderField! = ID
      "The sort direction."
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
      "Its name."
      name: String!
      "The id of its species."
      species: ID!
      "The id of the station where it was caught."
      station: ID!
      "Its sex, if it is known."
      sex: Sex! = UNKNOWN
      "Grams."
      weight: Float
      "The time; by default now."
      ringedAt: DateTime
    }

    "A bird that was seen."
    input RecordObservationInput {
      "The id of the bird."
      bird: ID!
      "The id of the station nearby."
      station: ID!
      "The observer."
      observer: String!
      "Its behavior."
      behaviour: Behaviour! = RESTING
      "The exact location; by default that of the station."
      coordinates: Coordinates
      "Anything else."
      remark: String
    }
    """#
}
