/** Calls of all attempts of a stage, with their results: found by identity once a further attempt makes calls. */
import type { MadeCall } from "./MadeCalls.ts"

export class CallsOfStage {
  /** The attempt that has made all calls so far; undefined if there are several. */
  private only: object | undefined
  /** Calls that are not in `byKey` yet: their identities are made when they are asked for. */
  private added: Array<MadeCall> = []
  /** By the key of their identity, and by attempt: a stage may make one call a thousand times. */
  private byKey: Map<string, Map<unknown, Array<MadeCall>>> | undefined
  private isEmpty = true

  /** Whether no other attempt has made a call. */
  isOf(attempt: object): boolean {
    return this.isEmpty || this.only === attempt
  }

  add(call: MadeCall): void {
    const { attempt } = call
    this.only = attempt !== undefined && this.isOf(attempt) ? attempt : undefined
    this.isEmpty = false
    this.added.push(call)
  }

  /** Equal calls of other attempts. */
  others(key: string, own: object): ReadonlyArray<MadeCall> {
    const byKey = (this.byKey ??= new Map())
    for (const call of this.added) enter(byKey, call)
    this.added = []
    return [...(byKey.get(key) ?? [])].flatMap(([attempt, calls]) => (attempt === own ? [] : calls))
  }
}

const enter = (byKey: Map<string, Map<unknown, Array<MadeCall>>>, call: MadeCall): void => {
  const {
    attempt,
    identity: { key },
  } = call
  let attempts = byKey.get(key)
  if (attempts === undefined) byKey.set(key, (attempts = new Map()))
  const calls = attempts.get(attempt)
  if (calls === undefined) attempts.set(attempt, [call])
  else calls.push(call)
}
