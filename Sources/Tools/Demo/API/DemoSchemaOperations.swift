extension DemoSchema {
  /// The root operation types.
  static let operations = #"""
    "The root of queries."
    type Query {
      "Anything by its id."
      node(
        "An id of any type."
        id: ID!
      ): Node
      "Several objects by their ids; null for an unknown id."
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
      "Number of observations."
      observationCount: Int!
      "Birds, species and stations whose names contain the text."
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
        "The message of the error."
        message: String! = "This field always fails."
      ): String
      "Fields that fail, to see what errors look like."
      faults: Faults!
      "Returns after a delay."
      slow(
        "Milliseconds to wait."
        milliseconds: Int! = 1000
      ): String!
      "All birds in one list."
      allBirds: [Bird!]! @deprecated(reason: "A thousand birds at once. Use birds, page by page.")
    }

    "The root of mutations. All changes are lost when the server stops."
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
        "The observation."
        input: RecordObservationInput!
      ): RecordObservationPayload!
      "Deletes a bird with its observations and flights."
      deleteBird(
        "The bird's id."
        id: ID!
      ): DeleteBirdPayload!
      "Attaches photos to a bird: files of a GraphQL multipart request. They are described but not stored."
      addPhotos(
        "The bird's id."
        bird: ID!
        "The photos."
        photos: [Upload!]!
        "The photo to show first."
        cover: Upload
      ): AddPhotosPayload!
    }

    "The result of `ringBird`."
    type RingBirdPayload {
      "The new bird."
      bird: Bird!
      "The station, with its new count."
      station: Station!
    }

    "The result of `renameBird`."
    type RenameBirdPayload {
      "The bird with its new name."
      bird: Bird!
      "The previous name."
      previousName: String!
    }

    "The result of `recordObservation`."
    type RecordObservationPayload {
      "The new observation."
      observation: Observation!
    }

    "The result of `deleteBird`."
    type DeleteBirdPayload {
      "The id of the bird that is gone."
      deletedId: ID!
      "Number of remaining birds."
      remainingCount: Int!
    }

    "The result of `addPhotos`."
    type AddPhotosPayload {
      "The bird."
      bird: Bird!
      "The photos, in the order of the request."
      photos: [Photo!]!
      "The photo to show first."
      cover: Photo
    }

    "A file that was received."
    type Photo {
      "The name of the file."
      name: String!
      "Its media type, as the client named it."
      contentType: String!
      "Its size in bytes."
      size: Int!
      "The SHA-256 digest of its bytes."
      sha256: String!
    }

    "The root of subscriptions."
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
      "Counts to two, and then its source fails, to see what that looks like."
      interrupted: Int!
    }
    """#
}
