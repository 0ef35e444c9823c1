/** Polls the file for cancel requests of the runs this process has open. */
import type { CancelRequest } from "@planloom/plugin/effect"
import type { Database } from "../Database.ts"
import { cancels } from "../sql.ts"

const POLL_INTERVAL_MS = 200

export class CancelWatch {
  private readonly database: Database
  private readonly listeners = new Map<number, (request: CancelRequest) => void>()
  private timer: NodeJS.Timeout | undefined
  private lastVersion = -1

  constructor(database: Database) {
    this.database = database
  }

  watch(run: number, onCancel: (request: CancelRequest) => void): void {
    this.listeners.set(run, onCancel)
    this.timer ??= setInterval(() => this.poll(), POLL_INTERVAL_MS).unref()
    const requested = this.database.get(cancels.one, run)
    if (requested !== undefined) onCancel(JSON.parse(requested["body"] as string) as CancelRequest)
  }

  unwatch(run: number): void {
    this.listeners.delete(run)
    if (this.listeners.size === 0) this.close()
  }

  close(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  /** Delivers a request of this process, which `data_version` does not count. */
  notify(run: number, request: CancelRequest): void {
    this.listeners.get(run)?.(request)
  }

  /** Reads the table only if another connection has written. */
  private poll(): void {
    try {
      const version = this.database.dataVersion()
      if (version === this.lastVersion) return
      for (const { body, run } of this.database.all(cancels.all)) {
        this.listeners.get(Number(run))?.(JSON.parse(body as string) as CancelRequest)
      }
      this.lastVersion = version
    } catch {
      // A locked file is polled again; the next record reports any other error.
    }
  }
}
