import ApusSQLite

/// Migration of files from older versions.
extension RecordFile {
  /// Upgrades the tables in one transaction, one step per version. A new file gets the current version; the rest of the
  /// migration of an older file is in `removeForgottenRoots`.
  static func migrate(_ connection: SQLiteConnection, from version: Int) throws {
    guard version < migrations.count else { return }
    try connection.execute("BEGIN IMMEDIATE")
    do {
      // Another process may have migrated the file in the meantime.
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
    // Without row ids, keys and fields are in one B-tree, and looking up a key next to that of a long list reads the whole
    // list to compare the two. A list of a million records took more than half an hour.
    """
    CREATE TABLE numbered(
      key TEXT PRIMARY KEY NOT NULL, type INTEGER NOT NULL, stamp INTEGER NOT NULL, written INTEGER NOT NULL,
      expires INTEGER NOT NULL, fields BLOB NOT NULL);
    INSERT INTO numbered SELECT * FROM records;
    DROP TABLE records;
    ALTER TABLE numbered RENAME TO records;
    """,
  ]

  /// Removes the results of mutations and subscriptions that versions before 4 stored. Their keys, names and change logs
  /// contain arguments in plain text, including passwords. The file is vacuumed so that no copy remains in unused pages.
  func removeForgottenRoots() throws {
    try connection.execute("PRAGMA secure_delete = ON")
    try beginWriting()
    do {
      // Another process may have migrated the file in the meantime.
      if try connection.number("PRAGMA user_version") ?? 0 >= Self.version { return try commit() }
      for root in CacheKey.forgottenRoots {
        // The keys of embedded records continue after a separator: match the range up to the next character.
        try connection.execute(
          "DELETE FROM records WHERE key = '\(root.text)' OR (key >= '\(root.text)\u{1F}' AND key < '\(root.text)\u{20}')"
        )
      }
      try removeUnusedNames()
      // Other processes that have the file open miss these changes and read everything again.
      change += 1
      try connection.execute("DELETE FROM changes")
      try saveState(
        recordCount: try connection.number("SELECT count(*) FROM records") ?? 0, byteCount: nil)
      try commit()
    } catch {
      rollback()
      throw error
    }
    // Opening the file waits for this, and another process may read for a long time.
    connection.waitForOthers(milliseconds: 500)
    defer { connection.waitForOthers() }
    do {
      try connection.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA user_version = \(Self.version)")
      try connection.execute("PRAGMA secure_delete = OFF")
    } catch {
      // Another connection is reading the file, or the disk has no space for the vacuumed copy. The next open tries again.
      if error.kind == .damaged { throw error }
    }
  }

  /// Clears unused names that contain arguments. Their numbers are kept, because other processes may have the file open and
  /// use them.
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
