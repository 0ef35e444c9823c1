/** Words that the engine uses itself, as names of authors: of its segments, its events and the keys of its files. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { check } from "@planloom/embed"
import { words, runWords } from "@planloom/plugin/segments"
import { filesOf, plainNames, type Namer } from "./workflowFiles.ts"
import type { Whole } from "./Shape.ts"
import { newFolder } from "./store.ts"

const snakeCase = (text: string): string =>
  text.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

/** Types and fields of events, as the contract declares them. */
const eventWords = (): ReadonlyArray<string> => {
  const source = readFileSync(
    new URL("../../../contract/plugin/src/run/Event.ts", import.meta.url),
    "utf8",
  )
  const found = [...source.matchAll(/readonly (\w+)\??:(?: "(\w+)")?/g)]
  return found.flatMap(([, field, type]) => [field!, ...(type === undefined ? [] : [type])])
}

const everything: Whole = {
  stages: (["work", "asks", "hangs", "calls", "chooses", "block"] as const).map((type) => ({
    type,
    n: 1,
    each: [1],
    parallel: 1,
    stages: [],
    graph: false,
    late: true,
    times: 1,
    chosen: 0,
    onError: "fallback",
    retry: true,
    conditional: true,
    needs: 0,
  })),
  graph: true,
  tidy: true,
}

const keysIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "object" && value !== null
    ? [
        ...(Array.isArray(value) ? [] : Object.keys(value)),
        ...Object.values(value).flatMap((one) => keysIn(one)),
      ]
    : []

/** Keys of a file that uses what the generated workflows use. */
const fileWords = (): ReadonlyArray<string> =>
  [...filesOf(everything, plainNames).values()].flatMap((file) => keysIn(file))

/** Words that no stage may have as its id, such as those of the expression language. */
const refused = async (ids: ReadonlyArray<string>): Promise<ReadonlySet<string>> => {
  const folder = newFolder()
  const path = join(folder, "workflow.yaml")
  const stages = ids.map((id) => ({ id, uses: "any" }))
  const file = { apiVersion: "planloom/v1", kind: "Workflow", name: "any", stages }
  writeFileSync(path, JSON.stringify(file))
  const { diagnostics } = await Effect.runPromise(check(path))
  return new Set(
    diagnostics.flatMap(({ code, message }) => {
      const id = /^"(\w+)"/.exec(message)?.[1]
      return code === "PL0107" && id !== undefined ? [id] : []
    }),
  )
}

const candidates = [
  ...new Set([...words, ...runWords, ...eventWords(), ...fileWords()].map(snakeCase)),
]
const not = await refused(candidates)

export const engineWords: ReadonlyArray<string> = candidates.filter((word) => !not.has(word))

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

export interface Naming {
  readonly start: number
  readonly step: number
  /** Only words of segments. */
  readonly few: boolean
}

/** Gives one word after another, in steps from a start; beyond them, words with a number. */
export const namesFrom = ({ few, start, step }: Naming): Namer => {
  const pool = few ? engineWords.slice(0, words.length) : engineWords
  const stride = divisor(step, pool.length) === 1 ? step : 1
  return (number) => {
    const name = pool[(start + number * stride) % pool.length]!
    return number < pool.length ? name : `${name}_${number}`
  }
}
