/** Tools of a workflow whose sources may list others while a run is under way: each list that the run used is on record. */
import * as Effect from "effect/Effect"
import type { Journal, Json } from "@planloom/plugin/effect"
import { ofRun } from "@planloom/plugin/segments"
import type { LiveTools, ToolRegistry } from "@planloom/language"
import { memoryJournal } from "../journal/journals.ts"

export class RunTools {
  private readonly live: LiveTools
  private readonly journal: Journal
  private readonly byDigest = new Map<string, ToolRegistry>()
  private last: ToolRegistry | undefined

  constructor(live: LiveTools, journal: Journal) {
    this.live = live
    this.journal = journal
  }

  /** Those that a stage or a turn of a model took last. */
  get current(): ToolRegistry {
    return this.last ?? this.live.snapshot().registry
  }

  /**
   * The newest tools, on record under the name by the digest of their lists: a replay takes the same, whatever the sources
   * list then. The lists themselves are recorded once in a run, and a store keeps them once for all runs.
   */
  take(name: string): Effect.Effect<ToolRegistry> {
    if (this.journal === memoryJournal) {
      return Effect.sync(() => (this.last = this.live.snapshot().registry))
    }
    const newest = Effect.suspend(() => {
      const { digest, lists } = this.live.snapshot()
      return Effect.as(this.keep(listsName(digest), lists), digest)
    })
    return Effect.flatMap(this.journal.step(name, newest), (digest) =>
      Effect.map(this.known(digest), (registry) => (this.last = registry)),
    )
  }

  private keep(name: string, value: Json): Effect.Effect<void> {
    return Effect.flatMap(this.journal.lookup(name), (kept) =>
      kept === undefined
        ? this.journal.record(name, { ok: true, value, isShared: true })
        : Effect.void,
    )
  }

  private known(digest: string): Effect.Effect<ToolRegistry> {
    const known = this.byDigest.get(digest)
    if (known !== undefined) return Effect.succeed(known)
    const now = this.live.snapshot()
    const found =
      now.digest === digest
        ? Effect.succeed(now.registry)
        : Effect.map(this.journal.lookup(listsName(digest)), (recorded) =>
            recorded?.ok === true ? this.live.recorded(recorded.value) : now.registry,
          )
    return Effect.map(found, (registry) => {
      this.byDigest.set(digest, registry)
      return registry
    })
  }
}

const listsName = (digest: string): string => ofRun("tools", [digest])
