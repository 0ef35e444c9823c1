/** Sends the heartbeat for the runs this store has open, and watches the owners of all other runs. */
import type { Clock } from "effect/Clock"
import type { Database, Row } from "../Database.ts"
import { processState, thisOwner, type Owner } from "./Owner.ts"
import { OwnerWatch } from "./OwnerWatch.ts"
import { runs } from "../sql.ts"
import { toStoreFailed } from "../toStoreFailed.ts"

export class Ownership {
  /** The value of the `owner` column. */
  readonly name: string
  readonly heartbeatMs: number
  private readonly database: Database
  private readonly path: string
  private readonly watch: OwnerWatch
  /** How often each run is open here, by its id. */
  private readonly open = new Map<number, number>()
  private heartbeat: NodeJS.Timeout | undefined
  private checks: NodeJS.Timeout | undefined

  constructor(database: Database, path: string, heartbeatMs: number, clock: Clock) {
    this.database = database
    this.path = path
    this.heartbeatMs = heartbeatMs
    this.name = JSON.stringify(thisOwner(heartbeatMs))
    this.watch = new OwnerWatch(clock)
  }

  add(run: number): void {
    this.open.set(run, (this.open.get(run) ?? 0) + 1)
    this.heartbeat ??= setInterval(() => this.sendHeartbeat(), this.heartbeatMs).unref()
  }

  remove(run: number): void {
    const left = (this.open.get(run) ?? 1) - 1
    if (left > 0) this.open.set(run, left)
    else this.open.delete(run)
  }

  /** Whether a process works on the run of this row, as far as known now. */
  isActive({ heartbeat, id, owner }: Row): boolean {
    const run = Number(id)
    if (owner === null || owner === this.name) {
      this.watch.forget(run)
      return owner !== null && this.open.has(run)
    }
    const alive = this.watch.isAlive(run, owner as string, Number(heartbeat))
    if (alive) this.checks ??= setInterval(() => this.checkOwners(), this.heartbeatMs / 2).unref()
    return alive
  }

  /** Whether the run has an owner that is not this store. */
  isOther({ owner }: Row): boolean {
    return owner !== null && owner !== this.name
  }

  /** Whether the owner needs no watching: it is this store or a visible process. */
  isVisible({ id, owner }: Row): boolean {
    if (owner === this.name) return this.open.has(Number(id))
    const state = processState(JSON.parse(owner as string) as Owner)
    return state === "running" || state === "stopped"
  }

  close(): void {
    clearInterval(this.heartbeat)
    clearInterval(this.checks)
  }

  /** A missed heartbeat needs no retry: the next one follows. */
  private sendHeartbeat(): void {
    if (this.open.size === 0) return
    this.ignoreStoreFailure(() => void this.database.run(runs.heartbeat, this.name))
  }

  /** Checks owners regularly: callers may check rarely, but a heartbeat must be watched without gaps. */
  private checkOwners(): void {
    this.ignoreStoreFailure(() => {
      for (const run of this.watch.runs) {
        const row = this.database.get(runs.owner, run)
        if (row === undefined) this.watch.forget(run)
        else this.isActive(row)
      }
      if (this.watch.runs.length > 0) return
      clearInterval(this.checks)
      this.checks = undefined
    })
  }

  /** Ignores a locked or damaged file: the next record reports it. */
  private ignoreStoreFailure(work: () => void): void {
    try {
      work()
    } catch (error) {
      toStoreFailed(error, this.path)
    }
  }
}
