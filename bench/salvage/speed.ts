/** How fast texts are read, measured so that figures of a busy machine can be compared: in rounds, each beside `JSON.parse`. */
import type { Contender } from "./contenders.ts"
import { documentOf, speedTexts } from "./texts.ts"

/** CPU milliseconds of this thread: about what an idle machine's clock would say, and nearly the same on a busy one. */
export const clock = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const ROUNDS = 5
/** CPU milliseconds that a contender gets in a round, and in all; once at least. */
const ROUND = 150
const ALL = ROUNDS * ROUND
const ROWS = 2200

/** Of one text by one contender, MB per CPU second. */
interface Speed {
  readonly mean: number
  /** The best round: what the machine does when nothing disturbs it. */
  readonly best: number
  /** Percent of the speed of `JSON.parse` on the valid text in the same round, the median of rounds. */
  readonly share: number
}

interface Run {
  spent: number
  runs: number
}

const runs = (work: () => unknown): Run => {
  const began = clock()
  let count = 0
  do {
    work()
    count++
  } while (clock() - began < ROUND)
  return { spent: clock() - began, runs: count }
}

const speedOf = (length: number, { spent, runs: count }: Run): number =>
  (length * count) / 1000 / spent

/** A word where it cannot be measured. */
const measure = (
  read: (() => unknown) | undefined,
  text: string,
  wanted: string | undefined,
): Speed | string => {
  if (read === undefined) return "–"
  try {
    const value = read()
    if (wanted !== undefined && JSON.stringify(value) !== wanted) return "wrong"
  } catch {
    return "refused"
  }
  const rounds: Array<{ readonly run: Run; readonly share: number }> = []
  const sum = { spent: 0, runs: 0 }
  while (rounds.length < ROUNDS && sum.spent < ALL) {
    const plain = speedOf(
      valid.length,
      runs(() => JSON.parse(valid) as unknown),
    )
    const run = runs(read)
    rounds.push({ run, share: (100 * speedOf(text.length, run)) / plain })
    sum.spent += run.spent
    sum.runs += run.runs
  }
  const shares = rounds.map(({ share }) => share).toSorted((a, b) => a - b)
  return {
    mean: speedOf(text.length, sum),
    best: Math.max(...rounds.map(({ run }) => speedOf(text.length, run))),
    share: shares[shares.length >> 1]!,
  }
}

const texts = speedTexts(ROWS)
const [, valid] = texts[0]!

export interface Speeds {
  readonly name: string
  readonly speeds: ReadonlyArray<Speed | string>
}

/** Of each text, the speed of each contender; BAML takes minutes and is not asked. `JSON.parse` stands last. */
export const measureSpeeds = (contenders: ReadonlyArray<Contender>): ReadonlyArray<Speeds> => {
  const wanted = JSON.stringify(documentOf(ROWS))
  const measured = texts.map(([name, text]) => {
    const row = { id: "", kind: "value", text }
    const speeds = contenders.map((contender) =>
      measure(
        contender.name === "BAML" ? undefined : () => contender.read(row)?.value,
        text,
        name === "cut" ? undefined : wanted,
      ),
    )
    return { name: `${name}, ${(text.length / 1e6).toFixed(2)} MB`, speeds }
  })
  const plain = measure(() => JSON.parse(valid) as unknown, valid, undefined)
  return [...measured, { name: "valid, by JSON.parse", speeds: [plain] }]
}

export const shownSpeed = (speed: Speed | string, figure: keyof Speed): string => {
  if (typeof speed === "string") return speed
  const value = speed[figure]
  return value.toFixed(value < 1 ? 2 : 1)
}
