// The selection API of this module is generated from the schema when it is built.
@_exported import ApusSelections
