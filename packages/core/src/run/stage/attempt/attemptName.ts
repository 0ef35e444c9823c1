/** Names of attempts in the record: made from an occurrence, and parsed back. */

interface Named {
  readonly path: string
  readonly answers: ReadonlyArray<unknown>
  readonly strategy: "model" | "mechanical" | undefined
}

/**
 * The name of an attempt's record, and the prefix of the names of its calls. Each strategy has names of its own, so
 * that the second one is not answered with what the first one asked; so has each attempt after a further answer.
 */
export const attemptName = ({ answers, path, strategy }: Named, attempt: number): string => {
  const base = answers.length === 0 ? path : `${path}/answered:${answers.length}`
  return strategy === undefined && attempt === 1 ? base : `${base}/${strategy ?? "run"}:${attempt}`
}

export interface AttemptPosition {
  /** The prefix of the names inside the attempt; empty for the first attempt of a kind with one strategy. */
  readonly within: string
  /** Counts from 1 for each strategy, and again after each answer. */
  readonly attempt: number
  /** Grows with every attempt of the occurrence. */
  readonly rank: number
}

/** Parses the part of a name that follows the path of an occurrence, without its leading slash. */
export const parseAttemptName = (inside: string): AttemptPosition => {
  const [within = "", , answered = "0", , strategy = "run", attempt = "1"] =
    /^(answered:(\d+)(?:\/|$))?((run|model|mechanical):(\d+)(?:\/|$))?/.exec(inside) ?? []
  return {
    within: within.replace(/\/$/, ""),
    attempt: Number(attempt),
    rank: (Number(answered) * 2 + (strategy === "mechanical" ? 1 : 0)) * 1e6 + Number(attempt),
  }
}
