/** The runs this store has open: tells other processes by a heartbeat that it is alive, and watches the owners of all other runs. */
import type { Clock } from "effect/Clock"
import type { Database, Row } from "./Database.ts"
import { processState, thisOwner, type Owner } from "./Owner.ts"
import { OwnerWatch } from "./OwnerWatch.ts"
import { runs } from "./sql.ts"
import { toStoreFailed } from "./toStoreFailed.ts"

export class Ownership {
  /** As it stands in the rows of runs. */
  readonly name: string
  readonly heartbeatMs: number
  private readonly database: Database
  private readonly path: string
  private readonly watch: OwnerWatch
  /** How often each run is open here, by its number. */
  private readonly open = new Map<number, number>()
  private heartbeat: NodeJS.Timeout | undefined
  private looks: NodeJS.Timeout | undefined

  constructor(database: Database, path: string, heartbeatMs: number, clock: Clock) {
    this.database = database
    this.path = path
    this.heartbeatMs = heartbeatMs
    this.name = JSON.stringify(thisOwner(heartbeatMs))
    this.watch = new OwnerWatch(clock)
  }

  hold(run: number): void {
    this.open.set(run, (this.open.get(run) ?? 0) + 1)
    this.heartbeat ??= setInterval(() => this.beat(), this.heartbeatMs).unref()
  }

  drop(run: number): void {
    const left = (this.open.get(run) ?? 1) - 1
    if (left > 0) this.open.set(run, left)
    else this.open.delete(run)
  }

  /** Whether a process is at work on the run of this row, as far as can be told now. */
  isActive({ heartbeat, id, owner }: Row): boolean {
    const run = Number(id)
    if (owner === null || owner === this.name) {
      this.watch.forget(run)
      return owner !== null && this.open.has(run)
    }
    const alive = this.watch.isAlive(run, owner as string, Number(heartbeat))
    if (alive) this.looks ??= setInterval(() => this.look(), this.heartbeatMs / 2).unref()
    return alive
  }

  /** Whether the owner needs no watching: it is this store, or a process that can be seen. */
  isVisible({ id, owner }: Row): boolean {
    if (owner === this.name) return this.open.has(Number(id))
    const state = processState(JSON.parse(owner as string) as Owner)
    return state === "running" || state === "stopped"
  }

  close(): void {
    clearInterval(this.heartbeat)
    clearInterval(this.looks)
  }

  /** A heartbeat that was missed is made up for by the next one. */
  private beat(): void {
    if (this.open.size === 0) return
    this.tolerant(() => void this.database.run(runs.beat, this.name))
  }

  /** Callers may look seldom or late; a heartbeat has to be watched without a gap. */
  private look(): void {
    this.tolerant(() => {
      for (const run of this.watch.runs) {
        const row = this.database.get(runs.owner, run)
        if (row === undefined) this.watch.forget(run)
        else this.isActive(row)
      }
      if (this.watch.runs.length > 0) return
      clearInterval(this.looks)
      this.looks = undefined
    })
  }

  /** What a locked or damaged file prevents here is reported by the next record. */
  private tolerant(work: () => void): void {
    try {
      work()
    } catch (error) {
      toStoreFailed(error, this.path)
    }
  }
}
