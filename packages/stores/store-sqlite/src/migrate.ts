/** Migrates a file to the newest schema, forward only. */
import type { Database } from "./Database.ts"
import { migrations, version } from "./sql.ts"
import { storeFailed } from "./toStoreFailed.ts"

/** Fails with `newer` for a schema of a newer version. */
export const migrate = (database: Database, path: string): void => {
  if (current(database, path) === migrations.length) return
  database.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
    const from = current(database, path)
    if (from === migrations.length) return
    for (const statement of migrations.slice(from).flat()) database.run(statement)
    database.run(version.table)
    database.run(version.clear)
    database.run(version.write, migrations.length)
  })
}

const current = (database: Database, path: string): number => {
  const present = database.get(
    "SELECT 1 AS present FROM sqlite_master WHERE type = 'table' AND name = 'planloom_schema'",
  )
  if (present === undefined) return 0
  const found = Number(database.get(version.read)?.["version"] ?? 0)
  if (found > migrations.length) throw storeFailed("newer", path)
  return found
}
