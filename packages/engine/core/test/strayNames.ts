/** Finds recorded names with a segment that is neither of the engine nor an id of the workflow at its depth. */
import {
  aboutOf,
  isEngines,
  numberOf,
  segmentOf,
  segmentsOf,
  words,
  type Word,
} from "@planloom/plugin/segments"
import type { Journal, RunEvent } from "@planloom/plugin/effect"
import type { KindWork, Node, Pipeline } from "../src/pipeline/Pipeline.ts"

/** What can stand below a name: stages, or stages of the workflows that a kind runs. */
interface Inside {
  readonly pipeline: Pipeline
  readonly nodes: ReadonlyArray<Node>
}

/** Parts of an occurrence: the stages inside it are named below them. */
const ofOccurrence: ReadonlySet<Word> = new Set([
  "answered",
  "attempt",
  "mechanical",
  "model",
  "run",
  "workflow",
])

const wordOf = (segment: string): Word | undefined =>
  words.find((word) => aboutOf(segment, word) !== undefined)

const ofKind = (pipeline: Pipeline, { workflows }: KindWork): ReadonlyArray<Inside> =>
  (workflows.length === 0 ? [...pipeline.workflows.keys()] : workflows).flatMap((path) => {
    const nested = pipeline.workflows.get(path)
    return nested === undefined ? [] : [{ pipeline: nested, nodes: nested.main.nodes }]
  })

const isStray = (name: string, pipeline: Pipeline): boolean => {
  let inside: ReadonlyArray<Inside> = [
    { pipeline, nodes: [...pipeline.main.nodes, ...pipeline.finally.nodes] },
  ]
  let fallbacks: ReadonlyArray<Inside> = []
  for (const text of segmentsOf(name)) {
    const { id } = segmentOf(text)
    if (/[~[\]]/.test(id)) return true
    if (isEngines(id)) {
      const word = wordOf(id)
      if (numberOf(id, "fallback") !== undefined) inside = fallbacks
      else if (word === undefined || !ofOccurrence.has(word)) inside = []
      continue
    }
    const found = inside.flatMap((place) =>
      place.nodes.flatMap((node) => (node.id === id ? [{ ...place, node }] : [])),
    )
    if (found.length === 0) return true
    inside = found.flatMap(({ node: { work }, pipeline: of }) =>
      work.type === "block" ? [{ pipeline: of, nodes: work.block.nodes }] : ofKind(of, work),
    )
    fallbacks = found.flatMap(({ node: { fallback }, pipeline: of }) =>
      fallback === undefined ? [] : ofKind(of, fallback),
    )
  }
  return false
}

export const strayNames = (names: Iterable<string>, pipeline: Pipeline): ReadonlyArray<string> =>
  [...new Set(names)].filter((name) => isStray(name, pipeline))

/** Paths of stages, and names of questions. */
export const namesIn = (event: RunEvent): ReadonlyArray<string> => [
  ...("path" in event && event.path !== "" ? [event.path] : []),
  ...(event.type === "Asked" ? [event.wait.name] : []),
  ...(event.type === "Answered" ? [event.name] : []),
]

/** The journal; `named` receives the name of each step, record, pause and question. */
export const namingJournal = (journal: Journal, named: (name: string) => void): Journal =>
  Object.create(journal, {
    step: {
      value: ((name, effect) => {
        named(name)
        return journal.step(name, effect)
      }) satisfies Journal["step"],
    },
    record: {
      value: ((name, recorded) => {
        named(name)
        return journal.record(name, recorded)
      }) satisfies Journal["record"],
    },
    sleep: {
      value: ((name, until) => {
        named(name)
        return journal.sleep(name, until)
      }) satisfies Journal["sleep"],
    },
    wait: {
      value: ((wait) => {
        named(wait.name)
        return journal.wait(wait)
      }) satisfies Journal["wait"],
    },
  }) as Journal
