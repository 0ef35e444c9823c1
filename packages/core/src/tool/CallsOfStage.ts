/** Calls of all attempts of a stage, with their results: found by identity once a further attempt makes calls. */
import type { MadeCall } from "./MadeCalls.ts"

export class CallsOfStage {
  /** The attempt that has made all calls so far; undefined if there are several. */
  private only: object | undefined
  /** Calls that are not in `byKey` yet: their identities are made when they are asked for. */
  private added: Array<readonly [attempt: object, call: MadeCall]> = []
  /** By the key of their identity, and by attempt: a stage may make one call a thousand times. */
  private readonly byKey = new Map<string, Map<object, Array<MadeCall>>>()
  private isEmpty = true

  /** Whether no other attempt has made a call. */
  isOf(attempt: object): boolean {
    return this.isEmpty || this.only === attempt
  }

  add(attempt: object, call: MadeCall): void {
    this.only = this.isOf(attempt) ? attempt : undefined
    this.isEmpty = false
    this.added.push([attempt, call])
  }

  /** Equal calls of other attempts. */
  others(key: string, own: object): ReadonlyArray<MadeCall> {
    for (const [attempt, call] of this.added) this.enter(attempt, call)
    this.added = []
    return [...(this.byKey.get(key) ?? [])].flatMap(([attempt, calls]) =>
      attempt === own ? [] : calls,
    )
  }

  private enter(attempt: object, call: MadeCall): void {
    const { key } = call.identity
    let attempts = this.byKey.get(key)
    if (attempts === undefined) this.byKey.set(key, (attempts = new Map()))
    const calls = attempts.get(attempt)
    if (calls === undefined) attempts.set(attempt, [call])
    else calls.push(call)
  }
}
