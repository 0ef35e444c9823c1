/** Documents of made-up words, as frequent as words are in texts, and vectors around centers: the same for each contender. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const WORDS = 30_000
const WORDS_OF_PASSAGE = 120
const PASSAGES_OF_FILE = 100

/** Those of small embedding models. */
export const DIMENSIONS = 384

const CENTERS = 2000

const randomFrom = (seed: number) => {
  let state = seed
  return () => (state = (state * 48271) % 2147483647) / 2147483647
}

/** The word of a rank by Zipf's law. */
const word = (random: () => number): string =>
  `w${Math.floor(Math.exp(random() * Math.log(WORDS)))}x`

export const passage = (at: number): string => {
  const random = randomFrom(at * 7919 + 13)
  return Array.from({ length: WORDS_OF_PASSAGE }, () => word(random)).join(" ")
}

export const query = (at: number): string => {
  const random = randomFrom(at * 104_729 + 5)
  return Array.from({ length: 5 }, () => word(random)).join(" ")
}

export const fileOf = (file: number, more = ""): string =>
  Array.from(
    { length: PASSAGES_OF_FILE },
    (_, at) => `# ${file * PASSAGES_OF_FILE + at}\n${passage(file * PASSAGES_OF_FILE + at)}\n`,
  ).join("") + more

export const writeCorpus = (folder: string, passages: number): void => {
  mkdirSync(folder, { recursive: true })
  for (let file = 0; file < passages / PASSAGES_OF_FILE; file++)
    writeFileSync(join(folder, `${file}.md`), fileOf(file))
}

const centers: Array<Float32Array> = []

const directions = (random: () => number, size: number) =>
  Float32Array.from({ length: DIMENSIONS }, () => (random() - 0.5) * size)

/** Of length 1. */
export const vectorOf = (at: number): Float32Array => {
  const center = (centers[at % CENTERS] ??= directions(randomFrom((at % CENTERS) + 1), 1))
  const noise = directions(randomFrom(at * 31 + 17), 0.6)
  const sum = center.map((value, dimension) => value + noise[dimension]!)
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}
