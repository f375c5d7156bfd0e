// Tests that import ApusTesting also get the client's modules.

@_exported public import Apus
