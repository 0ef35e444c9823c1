/** Parses names of a run's record: occurrence, attempt, call. */

/** One part of a path: `results~2[7]`, `attempt:2[0]`. */
export interface Segment {
  readonly id: string
  readonly round: number
  readonly indices: ReadonlyArray<number>
}

export const segmentOf = (text: string): Segment => {
  const [, id = text, round = "1", indices = ""] =
    /^([^~[\]]+)(?:~(\d+))?((?:\[\d+\])*)$/.exec(text) ?? []
  return {
    id,
    round: Number(round),
    indices: [...indices.matchAll(/\d+/g)].map(([digits]) => Number(digits)),
  }
}

/** How many workflows the attempt had run before, and this one. */
export const numberOfCall = (text: string): number =>
  Number(/^workflow:(\d+)(?:\/|$)/.exec(text)?.[1] ?? 1)

/** A stage's own attempts and the pauses between them, not what is recorded inside of them. */
export const isAttemptOf = (
  name: string,
  { attempt, path }: { readonly path: string; readonly attempt: number },
): boolean => {
  if (name === path) return attempt === 1
  if (!name.startsWith(`${path}/`)) return false
  const rest = name.slice(path.length + 1)
  const pause = /^(?:answered:\d+\/)?(?:(?:run|model|mechanical):\d+\/)?pause:(\d+)$/.exec(rest)
  if (pause !== null) return Number(pause[1]) >= attempt
  const again = /^attempt:(\d+)$/.exec(rest)
  if (again !== null) return Number(again[1]) >= attempt
  return /^(?:answered:\d+|(?:answered:\d+\/)?(?:run|model|mechanical):\d+)$/.test(rest)
}
