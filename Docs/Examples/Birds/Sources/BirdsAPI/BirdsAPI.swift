// The models of this module are generated from BirdDetails.graphql when it is built.
@_exported import Apus
