import ApusSQLite

/// What makes a file of an older version one of the present.
extension RecordFile {
  /// Each version's step leads from the one before it; all of them are one transaction. A file that is begun is of the
  /// present version; what else an older one needs is done by `removeForgottenRoots`.
  static func migrate(_ connection: SQLiteConnection, from version: Int) throws {
    guard version < migrations.count else { return }
    try connection.execute("BEGIN IMMEDIATE")
    do {
      // Another process may have been quicker.
      let version = try connection.number("PRAGMA user_version") ?? 0
      for step in migrations.dropFirst(max(0, version)) { try connection.execute(step) }
      let reached = version == 0 ? Self.version : max(version, migrations.count)
      try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(reached); COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  private static let migrations = [
    """
    CREATE TABLE records(
      key TEXT PRIMARY KEY, type INTEGER NOT NULL, stamp INTEGER NOT NULL, written INTEGER NOT NULL,
      expires INTEGER NOT NULL, fields BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE names(number INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE changes(number INTEGER PRIMARY KEY, keys BLOB);
    CREATE TABLE state(count INTEGER NOT NULL, change INTEGER NOT NULL);
    INSERT INTO state VALUES(0, 0);
    """,
    """
    ALTER TABLE state ADD COLUMN bytes INTEGER NOT NULL DEFAULT -1;
    UPDATE state SET bytes = 0 WHERE count = 0;
    """,
    // Without row numbers the keys and the fields stand in one tree, and whoever looks for a key next to that of a long
    // list reads all of the list to compare the two: a million records beside their list took more than half an hour.
    """
    CREATE TABLE numbered(
      key TEXT PRIMARY KEY NOT NULL, type INTEGER NOT NULL, stamp INTEGER NOT NULL, written INTEGER NOT NULL,
      expires INTEGER NOT NULL, fields BLOB NOT NULL);
    INSERT INTO numbered SELECT * FROM records;
    DROP TABLE records;
    ALTER TABLE numbered RENAME TO records;
    """,
  ]

  /// Removes what versions before the fourth kept of mutations and subscriptions: arguments in the clear, among them
  /// passwords, in keys, names and notes of changes. The file is packed, so that nothing of it stays in unused pages.
  func removeForgottenRoots() throws {
    try connection.execute("PRAGMA secure_delete = ON")
    try beginWriting()
    do {
      // Another process may have been quicker.
      if try connection.number("PRAGMA user_version") ?? 0 >= Self.version { return try commit() }
      for root in CacheKey.forgottenRoots {
        // A path has its components behind a separator: the texts from there up to the next character.
        try connection.execute(
          "DELETE FROM records WHERE key = '\(root.text)' OR (key >= '\(root.text)\u{1F}' AND key < '\(root.text)\u{20}')"
        )
      }
      try removeUnusedNames()
      // Whoever has the file open misses the changes up to here, and reads everything anew.
      change += 1
      try connection.execute("DELETE FROM changes")
      try saveState(
        recordCount: try connection.number("SELECT count(*) FROM records") ?? 0, byteCount: nil)
      try commit()
    } catch {
      rollback()
      throw error
    }
    // Whoever opens the file waits for this, and who reads it may go on for long.
    connection.waitForOthers(milliseconds: 500)
    defer { connection.waitForOthers() }
    do {
      try connection.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA user_version = \(Self.version)")
      try connection.execute("PRAGMA secure_delete = OFF")
    } catch {
      // Another connection reads the file, or the disk is too full for the packed one: the next to open the file packs it.
      if error.kind == .damaged { throw error }
    }
  }

  /// Makes the names empty that have arguments and that no record uses. Their numbers stay as they are: others may have the
  /// file open and know them.
  private func removeUnusedNames() throws {
    guard names.names.contains(where: { $0.contains("(") }) else { return }
    var set = RecordSet()
    var decoder = RowDecoder()
    try loadAll(&decoder, into: &set)
    let update = try connection.statement("UPDATE names SET name = '' WHERE number = ?1")
    for (number, name) in names.names.enumerated() where name.contains("(") {
      guard set.storage.fieldNames.find(name) == nil else { continue }
      update.bind(1, number)
      try connection.run(update)
    }
    try readNamesAnew()
  }
}
