/** Shapes of generated workflows: their stages, without names. */
interface Work {
  readonly type: "work"
  readonly n: number
  readonly each?: ReadonlyArray<number>
  readonly parallel: number
  /** Number of stages to go back when the assertion fails. */
  readonly back?: number
}
interface Asks {
  readonly type: "asks"
  readonly n: number
}
interface Hangs {
  readonly type: "hangs"
}
export interface Blocks {
  readonly type: "block"
  readonly stages: ReadonlyArray<Shape>
  readonly graph: boolean
  readonly late: boolean
  readonly times: number
  /** The second round fails, or is late, and the loop ends with the first one; ends after a round without a call. */
  readonly keeps?: "fails" | "late" | "calls"
}
/** Runs another workflow, in one attempt once or twice. */
interface Calls {
  readonly type: "calls"
  readonly stages: ReadonlyArray<Shape>
  readonly times: number
}
/** A switch; each case is a block of one stage. */
interface Chooses {
  readonly type: "chooses"
  readonly stages: ReadonlyArray<Shape>
  readonly chosen: number
}
export type Shape = (Work | Asks | Hangs | Blocks | Calls | Chooses) & {
  readonly onError: "fail" | "continue" | "fallback"
  /** The workflow that the fallback runs; without one it works. */
  readonly instead?: ReadonlyArray<Shape>
  /** Runs only if its predecessor has an output. */
  readonly conditional: boolean
  readonly retry: boolean
  /** The preceding stages it needs, in a graph. */
  readonly needs: number
}

export interface Whole {
  readonly stages: ReadonlyArray<Shape>
  readonly graph: boolean
  readonly tidy: boolean
}
