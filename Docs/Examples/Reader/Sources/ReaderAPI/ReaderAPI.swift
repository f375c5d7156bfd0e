// The models of this module are generated from the .graphql files beside it when it is built.
@_exported import Apus
