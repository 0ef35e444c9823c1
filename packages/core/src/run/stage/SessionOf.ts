/** The occurrence whose attempts sessions are, and what an attempt is called in the record. */
import type { Clarified, Feedback } from "@planloom/plugin"
import type { KindWork, Node } from "../../pipeline/Pipeline.ts"
import type { Frame } from "../RunState.ts"
import type { NestedRunner } from "../schedule/NestedRunner.ts"

/** The occurrence a session belongs to. */
export interface SessionOf {
  readonly node: Node
  readonly work: KindWork
  readonly frame: Frame
  readonly path: string
  readonly feedback: Feedback | undefined
  readonly answers: ReadonlyArray<Clarified>
  readonly nested: NestedRunner
  readonly strategy: "model" | "mechanical" | undefined
}

/**
 * What an attempt is recorded as, and what the names of its calls begin with. Strategies are told apart:
 * the second must not be answered with what the first one asked. So are attempts that know one more answer.
 */
export const attemptName = (
  { answers, path, strategy }: Pick<SessionOf, "answers" | "path" | "strategy">,
  attempt: number,
): string => {
  const base = answers.length === 0 ? path : `${path}/answered:${answers.length}`
  return strategy === undefined && attempt === 1 ? base : `${base}/${strategy ?? "run"}:${attempt}`
}

/** Where in the names inside an occurrence one of its attempts begins. */
export interface AttemptPlace {
  /** What stands before the names inside; empty for the first attempt of a kind with one strategy. */
  readonly within: string
  /** Counts from 1 for each strategy, and anew after each answer. */
  readonly attempt: number
  /** Grows with every attempt of the occurrence. */
  readonly rank: number
}

/** Reads what `attemptName` has put after the path of an occurrence. `inside` has no slash before it. */
export const attemptPlace = (inside: string): AttemptPlace => {
  const [within = "", , answered = "0", , strategy = "run", attempt = "1"] =
    /^(answered:(\d+)(?:\/|$))?((run|model|mechanical):(\d+)(?:\/|$))?/.exec(inside) ?? []
  return {
    within: within.replace(/\/$/, ""),
    attempt: Number(attempt),
    rank: (Number(answered) * 2 + (strategy === "mechanical" ? 1 : 0)) * 1e6 + Number(attempt),
  }
}
