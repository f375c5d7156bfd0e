// A test that writes `import ApusTesting` has the client's modules, too.

@_exported public import Apus
