/** Going back to a stage: what of a run's record does not count any more, and what stays. */
import { isPathWithin, type RunEvent } from "@planloom/plugin"
import type { Block, Node } from "@planloom/core/internal"
import type { Pipeline } from "@planloom/core"
import {
  runOutcome,
  isAttemptOf,
  numberOfCall,
  segmentOf,
  attemptPlace,
  standing,
} from "@planloom/core/internal"

export interface Retraction {
  /** Paths of what is done again, with all inside of them. */
  readonly again: ReadonlyArray<string>
  /** Number of the first event that is void. */
  readonly since: number
  /** Whether a record of this name goes. */
  readonly drops: (name: string) => boolean
}

/** What a run has recorded: the names of its steps, and its events. */
export interface Recorded {
  readonly steps: ReadonlyArray<string>
  readonly events: ReadonlyArray<RunEvent>
}

/** Where stage occurrences have begun, by path, in the order of their beginning. */
export const beginnings = (events: ReadonlyArray<RunEvent>): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const event of standing(events)) {
    if (event.type === "StageStarted" || event.type === "StageSkipped")
      found.set(event.path, event.seq)
    if (event.type === "IterationStarted") found.set(`${event.path}[${event.iteration}]`, event.seq)
  }
  return found
}

/**
 * What goes when the run goes back to `from`: that occurrence; in a sequence whatever began after it, in a
 * graph what depends on it, on each level around it; and what `finally` did. Undefined when the run has no
 * such occurrence.
 */
export const goBack = (
  pipeline: Pipeline,
  recorded: Recorded,
  from: string,
): Retraction | undefined => {
  const walk = new Walk(recorded)
  const segments = from.split("/")
  const since = walk.begun.get(from)
  if (since === undefined) return undefined
  const inFinally = pipeline.finally.nodes.some(({ id }) => id === segmentOf(segments[0]!).id)
  if (!inFinally && !walk.into(pipeline, pipeline.main, "", segments)) return undefined
  walk.settled(pipeline)
  return walk.retraction(since)
}

/** Only what `finally` did: for a run that goes on where no stage has failed. */
export const goOn = (pipeline: Pipeline, recorded: Recorded): Retraction => {
  const walk = new Walk(recorded)
  walk.settled(pipeline)
  return walk.retraction((recorded.events.at(-1)?.seq ?? -1) + 1)
}

/** One that drops what any of these do. */
export const together = (all: ReadonlyArray<Retraction>): Retraction => ({
  again: [...new Set(all.flatMap(({ again }) => again))],
  since: Math.min(...all.map(({ since }) => since)),
  drops: (name) => all.some(({ drops }) => drops(name)),
})

class Walk {
  readonly begun: ReadonlyMap<string, number>
  private readonly names: ReadonlySet<string>
  private readonly again = new Set<string>()
  /** Records of stages around the one the run goes back to: their attempts, and pauses before them. */
  private readonly around: Array<{ readonly path: string; readonly attempt: number }> = []

  constructor({ events, steps }: Recorded) {
    this.begun = beginnings(events)
    this.names = new Set([...this.begun.keys(), ...steps])
  }

  /** Whether the path leads somewhere. */
  into(pipeline: Pipeline, block: Block, prefix: string, path: ReadonlyArray<string>): boolean {
    const [first, ...rest] = path
    const target = segmentOf(first!)
    const at = block.nodes.findIndex(({ id }) => id === target.id)
    if (at < 0) return false
    const occurrence = `${prefix}${target.id}${target.round > 1 ? `~${target.round}` : ""}`
    this.beside(block, prefix, at, occurrence, target.round)
    return this.inside(pipeline, block.nodes[at]!, occurrence, target.indices, rest)
  }

  settled({ finally: last }: Pipeline): void {
    for (const path of this.occurrences("")) {
      if (last.nodes.some(({ id }) => id === segmentOf(path).id)) this.again.add(path)
    }
  }

  retraction(since: number): Retraction {
    const again = [...this.again]
    return {
      again,
      since,
      drops: (name) =>
        name === runOutcome ||
        again.some((path) => isPathWithin(name, path)) ||
        this.around.some((stage) => isAttemptOf(name, stage)),
    }
  }

  /** Other occurrences of the same block. */
  private beside(
    block: Block,
    prefix: string,
    at: number,
    occurrence: string,
    round: number,
  ): void {
    const begun = this.begun.get(occurrence) ?? 0
    const dependents = block.needs === undefined ? undefined : dependentsOf(block.needs, at)
    for (const path of this.occurrences(prefix)) {
      const other = segmentOf(path.slice(prefix.length))
      const index = block.nodes.findIndex(({ id }) => id === other.id)
      if (index < 0 || path === occurrence) continue
      const since = this.begun.get(path)
      const later = since === undefined ? index > at || other.round > round : since > begun
      const concerned =
        dependents === undefined || index === at || dependents.has(index) || other.round > 1
      if (later && concerned) this.again.add(path)
    }
  }

  private inside(
    pipeline: Pipeline,
    node: Node,
    occurrence: string,
    indices: ReadonlyArray<number>,
    rest: ReadonlyArray<string>,
  ): boolean {
    const [item, ...iterations] = node.forEach === undefined ? [undefined, ...indices] : indices
    const base = item === undefined ? occurrence : `${occurrence}[${item}]`
    if (item !== undefined) this.around.push({ path: occurrence, attempt: 1 })
    const tried = /^attempt:(\d+)((?:\[\d+\])*)$/.exec(rest[0] ?? "")
    const attempt = tried === null ? 1 : Number(tried[1])
    const iteration = tried === null ? iterations[0] : segmentOf(`attempt${tried[2]}`).indices[0]
    const round = tried === null ? base : `${base}/attempt:${attempt}`
    const place = iteration === undefined ? round : `${round}[${iteration}]`
    const inner = tried === null ? rest : rest.slice(1)
    if (iteration !== undefined) this.laterIterations(round, iteration)
    if (inner.length === 0) {
      this.again.add(place)
      if (place !== occurrence) this.surround(base, attempt)
      return true
    }
    if (node.work.type !== "block") return this.nested(pipeline, base, rest)
    this.surround(base, attempt)
    return this.into(pipeline, node.work.block, `${place}/`, inner)
  }

  /** Within a workflow that a stage runs, in one of its attempts. */
  private nested(pipeline: Pipeline, base: string, path: ReadonlyArray<string>): boolean {
    const { attempt, rank, within } = attemptPlace(path.join("/"))
    this.surround(base, attempt)
    const before = within === "" ? [] : within.split("/")
    const tried = [base, ...before].join("/")
    const call = numberOfCall(path[before.length] ?? "")
    for (const name of this.names) {
      if (!name.startsWith(`${base}/`)) continue
      const other = attemptPlace(name.slice(base.length + 1))
      if (other.rank > rank) this.again.add(`${base}/${other.within}`)
      else if (name.startsWith(`${tried}/workflow:`)) {
        const later = numberOfCall(name.slice(tried.length + 1))
        if (later > call) this.again.add(`${tried}/workflow:${later}`)
      }
    }
    const inner = path.slice(before.length + (call === 1 ? 0 : 1))
    if (inner.length === 0) return false
    const place = call === 1 ? tried : `${tried}/workflow:${call}`
    const id = segmentOf(inner[0]!).id
    const nested = [...pipeline.workflows.values()].find(({ main }) =>
      main.nodes.some((stage) => stage.id === id),
    )
    return nested !== undefined && this.into(nested, nested.main, `${place}/`, inner)
  }

  /** What came of the stage around after what is inside of it: a fallback, later attempts, its own record. */
  private surround(path: string, attempt: number): void {
    this.around.push({ path, attempt })
    this.again.add(`${path}/fallback`)
    for (const name of this.names) {
      const later = name.startsWith(`${path}/attempt:`)
        ? /^\d+/.exec(name.slice(path.length + "/attempt:".length))?.[0]
        : undefined
      if (later !== undefined && Number(later) > attempt) this.again.add(`${path}/attempt:${later}`)
    }
  }

  private laterIterations(path: string, iteration: number): void {
    for (const name of this.names) {
      if (!name.startsWith(`${path}[`)) continue
      const index = Number(/^\d+/.exec(name.slice(path.length + 1))?.[0])
      if (index > iteration) this.again.add(`${path}[${index}]`)
    }
  }

  /** Paths below the prefix, without item or iteration. */
  private occurrences(prefix: string): ReadonlySet<string> {
    const found = new Set<string>()
    for (const name of this.names) {
      if (!name.startsWith(prefix)) continue
      const [segment] = name.slice(prefix.length).split("/", 1)
      found.add(prefix + segment!.replace(/\[.*$/, ""))
    }
    return found
  }
}

const dependentsOf = (
  needs: ReadonlyArray<ReadonlyArray<number>>,
  node: number,
): ReadonlySet<number> => {
  const found = new Set<number>()
  const visit = (from: number): void => {
    for (const [index, needed] of needs.entries()) {
      if (!needed.includes(from) || found.has(index)) continue
      found.add(index)
      visit(index)
    }
  }
  visit(node)
  return found
}
