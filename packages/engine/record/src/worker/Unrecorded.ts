/** Inputs, users and definitions of runs, which their records do not hold; in memory until a run has ended. */
import type { Json, JsonObject } from "@planloom/plugin/effect"

/** Values that a run is given in this process. */
export interface GivenValues {
  /** Personal inputs that were compared with those of the run's start. */
  readonly inputs?: JsonObject
  /** Inputs that the run is started with, where they differ from its record. */
  readonly unrecorded?: JsonObject
  readonly user?: JsonObject | undefined
  /** Of the workflow, which holds a secret. */
  readonly definition?: Json | undefined
  /** Who asks for the next resume of the run, if it still has this epoch. */
  readonly resumer?: { readonly by: string; readonly epoch: number } | undefined
}

export type UnrecordedValues = Omit<GivenValues, "resumer">

/** Most resumers that wait for their run; another process may claim it, so that they are never read. */
const MAX_RESUMERS = 10_000

export class Unrecorded {
  private readonly values = new Map<string, UnrecordedValues>()
  private readonly resumers = new Map<string, NonNullable<GivenValues["resumer"]>>()

  of(run: string): UnrecordedValues | undefined {
    return this.values.get(run)
  }

  add(run: string, { definition, inputs, resumer, unrecorded, user }: GivenValues): void {
    if (resumer !== undefined) this.addResumer(run, resumer)
    const isNothing = definition === undefined && user === undefined
    if (isNothing && isEmpty(inputs) && isEmpty(unrecorded)) return
    const before = this.values.get(run)
    this.values.set(run, {
      inputs: { ...before?.inputs, ...inputs },
      unrecorded: { ...before?.unrecorded, ...unrecorded },
      user: user ?? before?.user,
      definition: definition ?? before?.definition,
    })
  }

  private addResumer(run: string, resumer: NonNullable<GivenValues["resumer"]>): void {
    // At the end, as the newest.
    this.resumers.delete(run)
    this.resumers.set(run, resumer)
    if (this.resumers.size > MAX_RESUMERS) this.resumers.delete(this.resumers.keys().next().value!)
  }

  /** Who has asked for the resume that follows this epoch; each is returned once. */
  takeResumer(run: string, epoch: number): string | undefined {
    const resumer = this.resumers.get(run)
    this.resumers.delete(run)
    return resumer?.epoch === epoch ? resumer.by : undefined
  }

  delete(run: string): void {
    this.values.delete(run)
    this.resumers.delete(run)
  }
}

const isEmpty = (inputs: JsonObject | undefined): boolean =>
  inputs === undefined || Object.keys(inputs).length === 0
