/** Trains the likeness of promises on the labeled sentences: with `--write` replaces the file of weights. */
import { readFileSync, writeFileSync } from "node:fs"
import { wordsOf } from "../packages/components/review-kit/src/words.ts"
import { featuresOf, tokensOf } from "../packages/components/validators/src/promises/featuresOf.ts"
import { generator } from "../examples/seededRandom.ts"

const data = new URL(
  "../packages/components/validators/test/data/promises.seen.jsonl",
  import.meta.url,
)
const file = new URL(
  "../packages/components/validators/src/promises/likeness.json",
  import.meta.url,
)

interface Row {
  readonly features: ReadonlyArray<string>
  readonly isCommitment: boolean
}

interface Model {
  readonly bias: number
  readonly weights: ReadonlyMap<string, number>
}

/** Weights of the file are whole numbers of this scale. */
const SCALE = 20

/** Occurrences below which a feature is chance. */
const LEAST = 2
const EPOCHS = 30
/** Step, and decay of a weight towards 0, of AdaGrad (Duchi et al., 2011). */
const STEP = 0.3
const DECAY = 3e-4
/** Weights nearer to 0 decide nothing, and would be most of the file. */
const SMALLEST = 0.3

export const readRows = (): ReadonlyArray<Row> =>
  readFileSync(data, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { label, text } = JSON.parse(line) as { readonly label: string; readonly text: string }
      return {
        features: [...featuresOf(tokensOf(wordsOf(text)))],
        isCommitment: label === "commitment",
      }
    })

export const train = (rows: ReadonlyArray<Row>): Model => {
  const counts = new Map<string, number>()
  for (const { features } of rows)
    for (const one of features) counts.set(one, (counts.get(one) ?? 0) + 1)
  const names = [...counts].filter(([, count]) => count >= LEAST).map(([name]) => name)
  const places = new Map(names.map((name, at) => [name, at]))
  const known = rows.map(({ features }) =>
    features.flatMap((one) => {
      const at = places.get(one)
      return at === undefined ? [] : [at]
    }),
  )
  const weights = new Float64Array(names.length)
  const squares = new Float64Array(names.length).fill(1e-8)
  let bias = 0
  let square = 1e-8
  const random = generator(1)
  const order = rows.map((_, at) => at)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1))
      ;[order[at], order[other]] = [order[other]!, order[at]!]
    }
    for (const row of order) {
      const own = known[row]!
      const length = Math.sqrt(Math.max(1, own.length))
      let sum = bias
      for (const at of own) sum += weights[at]! / length
      const error = 1 / (1 + Math.exp(-sum)) - (rows[row]!.isCommitment ? 1 : 0)
      for (const at of own) {
        const slope = error / length + DECAY * weights[at]!
        squares[at]! += slope * slope
        weights[at]! -= (STEP * slope) / Math.sqrt(squares[at]!)
      }
      square += error * error
      bias -= (0.1 * error) / Math.sqrt(square)
    }
  }
  return { bias, weights: new Map(names.map((name, at) => [name, weights[at]!])) }
}

/** The file of a model: features by their rounded weight, both in order. */
export const fileOf = ({ bias, weights }: Model): string => {
  const kept = [...weights]
    .filter(([, weight]) => Math.abs(weight) >= SMALLEST)
    .map(([name, weight]) => [name, Math.round(weight * SCALE)] as const)
  const byWeight = [...Map.groupBy(kept, ([, weight]) => weight)]
    .toSorted(([one], [other]) => one - other)
    .map(
      ([weight, all]) =>
        [
          weight,
          all
            .map(([name]) => name)
            .toSorted()
            .join("|"),
        ] as const,
    )
  const content = {
    scale: SCALE,
    bias: Math.round(bias * SCALE),
    features: Object.fromEntries(byWeight),
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

if (import.meta.main) {
  const rows = readRows()
  const text = fileOf(train(rows))
  console.log(`${rows.length} sentences, ${text.length} bytes`)
  if (process.argv.includes("--write")) writeFileSync(file, text)
}
