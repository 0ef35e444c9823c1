/** What the HTTP API is made of, and for whom it works. */
import type { Json, RunStore } from "@planloom/plugin"
import type { LoadedWorkflow } from "@planloom/core"
import type { Worker } from "@planloom/record/worker"
import type { Guard } from "./guard.ts"

/** A workflow that may be begun over HTTP. */
export type Offered = Pick<LoadedWorkflow, "pipeline" | "secrets"> & {
  /** What the worker's `load` is given to go on with a run of it. */
  readonly definition: Json
}

export interface ApiOptions extends Guard {
  readonly store: RunStore
  /** Goes on with runs. Without one nothing is begun or ended here, and answers are only recorded. */
  readonly worker?: Worker
  /** By name. */
  readonly workflows?: ReadonlyMap<string, Offered>
  /** Bytes of a body; 1 MiB unless given. */
  readonly maxBody?: number
  /** Runs that may wait or be at work before another one is refused with 503; 20,000 unless given. */
  readonly maxWaiting?: number
  /** Hears of faults, which clients are told nothing about. */
  readonly onFault?: (error: unknown) => void
}

/** One request at its place: what stood in the path where the pattern has a name. */
export interface Asked {
  readonly request: Request
  readonly params: { readonly [name: string]: string }
  readonly query: URLSearchParams
}
