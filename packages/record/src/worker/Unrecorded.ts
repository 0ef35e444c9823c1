/** Inputs and users of runs, which their records do not hold; in memory until a run has ended. */
import type { JsonObject } from "@planloom/plugin/effect"

export interface UnrecordedValues {
  readonly inputs: JsonObject
  readonly user: JsonObject | undefined
}

export class Unrecorded {
  private readonly values = new Map<string, UnrecordedValues>()

  of(run: string): UnrecordedValues | undefined {
    return this.values.get(run)
  }

  add(run: string, inputs: JsonObject, user: JsonObject | undefined): void {
    const before = this.values.get(run)
    if (user === undefined && Object.keys(inputs).length === 0) return
    this.values.set(run, {
      inputs: { ...before?.inputs, ...inputs },
      user: user ?? before?.user,
    })
  }

  delete(run: string): void {
    this.values.delete(run)
  }
}
