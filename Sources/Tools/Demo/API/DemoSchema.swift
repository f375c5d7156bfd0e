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

    "A file, sent as a part of a GraphQL multipart request."
    scalar Upload @specifiedBy(url: "https://github.com/jaydenseric/graphql-multipart-request-spec")

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
    """#
}
