// The models of this module are generated from the .graphql files next to it during the build.
@_exported import Apus
