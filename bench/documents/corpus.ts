/** Documents of made-up words, as frequent as words are in texts, and vectors around centers: the same for each contender. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const WORDS = 30_000
const WORDS_OF_PASSAGE = 120
/** 100,000 passages are 2,000 files. */
const PASSAGES_OF_FILE = 50

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

/** Adds numbers between minus and plus a half of a size. */
const scatter = (vector: Float32Array, seed: number, size: number): Float32Array => {
  const random = randomFrom(seed)
  for (let at = 0; at < DIMENSIONS; at++) vector[at]! += (random() - 0.5) * size
  return vector
}

const centerOf = (at: number): Float32Array => scatter(new Float32Array(DIMENSIONS), at + 1, 1)

/** Of length 1. In loops, so that little of what is measured is their making. */
export const vectorOf = (at: number): Float32Array => {
  const center = (centers[at % CENTERS] ??= centerOf(at % CENTERS))
  const vector = scatter(center.slice(), at * 31 + 17, 0.6)
  let squares = 0
  for (let dimension = 0; dimension < DIMENSIONS; dimension++) squares += vector[dimension]! ** 2
  const length = Math.sqrt(squares)
  for (let dimension = 0; dimension < DIMENSIONS; dimension++) vector[dimension]! /= length
  return vector
}
