/** Workflows of the runs under way, by their definition: one in use is loaded once. */
import * as Effect from "effect/Effect"
import * as RcMap from "effect/RcMap"
import type { Scope } from "effect/Scope"
import type { Json } from "@planloom/plugin/effect"
import type { Ready } from "./claim.ts"

/** A workflow that no run uses stays loaded for this long. */
const IDLE_MS = 60_000

export class ReadyWorkflows<E> {
  private readonly loaded: RcMap.RcMap<string, Ready, E>
  /** By identity: one object is the definition of many runs. */
  private readonly keys = new WeakMap<object, string>()

  private constructor(loaded: RcMap.RcMap<string, Ready, E>) {
    this.loaded = loaded
  }

  static readonly make = <L>(
    load: (definition: Json | undefined) => Effect.Effect<Ready, L, Scope>,
  ): Effect.Effect<ReadyWorkflows<L>, never, Scope> =>
    Effect.map(
      RcMap.make({
        lookup: (key: string) => load(key === "" ? undefined : (JSON.parse(key) as Json)),
        idleTimeToLive: IDLE_MS,
      }),
      (loaded) => new ReadyWorkflows(loaded),
    )

  of(definition: Json | undefined): Effect.Effect<Ready, E, Scope> {
    return RcMap.get(this.loaded, this.keyOf(definition))
  }

  private keyOf(definition: Json | undefined): string {
    if (definition === undefined) return ""
    if (typeof definition !== "object" || definition === null) return JSON.stringify(definition)
    const known = this.keys.get(definition)
    if (known !== undefined) return known
    const key = JSON.stringify(definition)
    this.keys.set(definition, key)
    return key
  }
}
