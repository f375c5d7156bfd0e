extension DemoServer {
  /// The initial document of the explorer, which demonstrates the main features.
  package static let exampleQuery = """
    # Welcome to Apus: F5 runs this, part by part.
    query Migration($first: Int = 5, $after: String) {
      birds(first: $first, after: $after) {
        totalCount
        edges {
          cursor
          node {
            id
            name
            ring
            species {
              id
              commonName
            }
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }

      # One bird in full: slow fields arrive later.
      bird(id: "b42") {
        id
        name
        sex
        ...WhereFrom @defer(label: "station")
        ...LifeOnTheWing @defer(label: "history")
        ... @defer(label: "range") {
          species {
            id
            range {
              breeding
              wintering
            }
          }
        }
      }
    }

    # The instruments there take a second to answer.
    fragment WhereFrom on Bird {
      station {
        id
        name
        country
        weather {
          temperature
          summary
        }
      }
    }

    # Adding up all flights takes two.
    fragment LifeOnTheWing on Bird {
      migrationHistory {
        totalDistance
        flightCount
        stations {
          id
          name
        }
      }
    }

    # Things to try: "faults" for errors, in a deferred fragment too; "track" of a flight with @stream;
    # "search" for a union; "next page" on the birds; "renameBird" as a separate mutation.

    """
}
