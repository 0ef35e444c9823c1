/** Notices that the file of an open store was deleted or replaced: SQLite would keep writing to a file without a name. */
import { statSync } from "node:fs"
import { StoreFailed } from "@planloom/plugin/effect"

/** The store is used more often than a look at the folder is worth. */
const LOOK_INTERVAL_MS = 100

export class StoreFile {
  private readonly path: string
  private readonly opened: string | undefined
  private lookedAt = performance.now()

  /** The file must exist. */
  constructor(path: string) {
    this.path = path
    this.opened = identityOf(path)
  }

  /** Throws `StoreFailed` if the file is no longer at its path. */
  requirePresent(): void {
    if (identityOf(this.path) === this.opened) {
      this.lookedAt = performance.now()
      return
    }
    this.lookedAt = Number.NEGATIVE_INFINITY
    throw new StoreFailed({
      reason: "unavailable",
      message: `${this.path} was deleted or replaced while it was in use; what this process records is lost. Put the file back, or start the command again`,
    })
  }

  /** The same, if it has not looked for a while. */
  requireStillPresent(): void {
    if (performance.now() - this.lookedAt >= LOOK_INTERVAL_MS) this.requirePresent()
  }
}

const identityOf = (path: string): string | undefined => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}`
}
