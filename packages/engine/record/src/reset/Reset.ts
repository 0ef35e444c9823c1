/** Computes which steps and events a reset to a stage makes void, and which stay valid. */
import type { RunEvent } from "@planloom/plugin/effect"
import {
  below,
  isAttemptOf,
  isBelow,
  isEngines,
  isPathWithin,
  itemAt,
  lastOf,
  numberOf,
  occurrenceAt,
  parseAttemptName,
  prefixOf,
  segmentOf,
  segmentsOf,
} from "@planloom/plugin/segments"
import type { Block, KindWork, Node } from "@planloom/core/internal"
import type { Pipeline } from "@planloom/core"
import { runOutcome, effectiveEvents } from "@planloom/core/internal"

export interface Reset {
  /** Paths that run again, with everything inside them. */
  readonly again: ReadonlyArray<string>
  /** Sequence number of the first void event. */
  readonly since: number
  /** Whether the record of this name is deleted. */
  readonly drops: (name: string) => boolean
}

/** Step names and events of a recorded run. */
export interface Recorded {
  readonly steps: ReadonlyArray<string>
  readonly events: ReadonlyArray<RunEvent>
}

/** Sequence number of the event that started each stage occurrence, by path, in order. */
export const startSeqs = (events: ReadonlyArray<RunEvent>): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const event of effectiveEvents(events)) {
    if (event.type === "StageStarted" || event.type === "StageSkipped")
      found.set(event.path, event.seq)
    if (event.type === "IterationStarted") found.set(itemAt(event.path, event.iteration), event.seq)
  }
  return found
}

/**
 * Resets a run to the occurrence `from`. Void are: that occurrence; on each enclosing level, what started after
 * it (in a sequence) or depends on it (in a graph); and the `finally` stages. Undefined when the run has no
 * occurrence `from`.
 */
export const resetTo = (
  pipeline: Pipeline,
  recorded: Recorded,
  from: string,
): Reset | undefined => {
  const walk = new Walk(recorded)
  const segments = segmentsOf(from)
  const since = walk.starts.get(from)
  if (since === undefined) return undefined
  const inFinally = pipeline.finally.nodes.some(({ id }) => id === segmentOf(segments[0]!).id)
  if (!inFinally && !walk.into(pipeline, pipeline.main, "", segments)) return undefined
  walk.addFinally(pipeline)
  return walk.reset(since)
}

/** Resets only the `finally` stages, for a run that continues although no stage failed. */
export const resetFinally = (pipeline: Pipeline, recorded: Recorded): Reset => {
  const walk = new Walk(recorded)
  walk.addFinally(pipeline)
  return walk.reset((recorded.events.at(-1)?.seq ?? -1) + 1)
}

/** Merges resets: void is what any of them makes void. */
export const mergeResets = (all: ReadonlyArray<Reset>): Reset => ({
  again: [...new Set(all.flatMap(({ again }) => again))],
  since: Math.min(...all.map(({ since }) => since)),
  drops: (name) => all.some(({ drops }) => drops(name)),
})

class Walk {
  readonly starts: ReadonlyMap<string, number>
  private readonly names: ReadonlySet<string>
  private readonly again = new Set<string>()
  /** Stages that enclose the reset one; their attempts and the pauses before them are void. */
  private readonly around: Array<{ readonly path: string; readonly attempt: number }> = []

  constructor({ events, steps }: Recorded) {
    this.starts = startSeqs(events)
    this.names = new Set([...this.starts.keys(), ...steps])
  }

  /** Returns whether the path leads to a stage. */
  into(pipeline: Pipeline, block: Block, prefix: string, path: ReadonlyArray<string>): boolean {
    const [first, ...rest] = path
    const target = segmentOf(first!)
    const at = block.nodes.findIndex(({ id }) => id === target.id)
    if (at < 0) return false
    const occurrence = occurrenceAt(prefix, target.id, target.round)
    this.addSiblings(block, prefix, at, occurrence, target.round)
    return this.intoNode(pipeline, block.nodes[at]!, occurrence, target.indices, rest)
  }

  addFinally({ finally: last }: Pipeline): void {
    for (const path of this.occurrences("")) {
      if (last.nodes.some(({ id }) => id === segmentOf(path).id)) this.again.add(path)
    }
  }

  reset(since: number): Reset {
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

  /** Adds other occurrences of the same block that started later or depend on this one. */
  private addSiblings(
    block: Block,
    prefix: string,
    at: number,
    occurrence: string,
    round: number,
  ): void {
    const start = this.starts.get(occurrence) ?? 0
    const dependents = block.needs === undefined ? undefined : dependentsOf(block.needs, at)
    for (const path of this.occurrences(prefix)) {
      const other = segmentOf(path.slice(prefix.length))
      const index = block.nodes.findIndex(({ id }) => id === other.id)
      if (index < 0 || path === occurrence) continue
      const since = this.starts.get(path)
      const later = since === undefined ? index > at || other.round > round : since > start
      const concerned =
        dependents === undefined || index === at || dependents.has(index) || other.round > 1
      if (later && concerned) this.again.add(path)
    }
  }

  private intoNode(
    pipeline: Pipeline,
    node: Node,
    occurrence: string,
    indices: ReadonlyArray<number>,
    rest: ReadonlyArray<string>,
  ): boolean {
    const [item, ...iterations] = node.forEach === undefined ? [undefined, ...indices] : indices
    const base = item === undefined ? occurrence : itemAt(occurrence, item)
    if (item !== undefined) this.around.push({ path: occurrence, attempt: 1 })
    const [first = "", ...others] = rest
    // The failure that the fallback followed remains.
    if (node.fallback !== undefined && numberOf(first, "fallback") !== undefined) {
      return this.intoWorkflow(pipeline, node.fallback, below(base, "fallback", 1), others)
    }
    const again = numberOf(first, "attempt")
    const attempt = again ?? 1
    const iteration = again === undefined ? iterations[0] : segmentOf(first).indices[0]
    const round = again === undefined ? base : below(base, "attempt", again)
    const occurrencePath = iteration === undefined ? round : itemAt(round, iteration)
    const inner = again === undefined ? rest : others
    if (iteration !== undefined) {
      this.addLaterIterations(round, iteration)
      this.again.add(below(occurrencePath, "new_call", 1))
    }
    if (inner.length === 0) {
      this.again.add(occurrencePath)
      if (occurrencePath !== occurrence) this.addEnclosing(base, attempt)
      return true
    }
    if (node.work.type !== "block") return this.intoWorkflow(pipeline, node.work, base, rest)
    this.addEnclosing(base, attempt)
    return this.into(pipeline, node.work.block, prefixOf(occurrencePath), inner)
  }

  /** Descends into a workflow that a stage runs in one of its attempts. */
  private intoWorkflow(
    pipeline: Pipeline,
    work: KindWork,
    base: string,
    path: ReadonlyArray<string>,
  ): boolean {
    const { attempt, rank, within } = parseAttemptName(path.join("/"))
    this.addEnclosing(base, attempt)
    const before = within === "" ? [] : segmentsOf(within)
    const tried = [base, ...before].join("/")
    const again = numberOf(path[before.length] ?? "", "workflow")
    for (const name of this.names) {
      if (!isBelow(name, base)) continue
      const other = parseAttemptName(name.slice(base.length + 1))
      if (other.rank > rank) this.again.add(`${base}/${other.within}`)
      else if (isBelow(name, tried)) {
        const later = numberOf(segmentsOf(name.slice(tried.length + 1))[0]!, "workflow")
        if (later !== undefined && later > (again ?? 1)) {
          this.again.add(below(tried, "workflow", later))
        }
      }
    }
    const inner = path.slice(before.length + (again === undefined ? 0 : 1))
    if (inner.length === 0) return false
    const prefix = prefixOf(again === undefined ? tried : below(tried, "workflow", again))
    const nested = this.workflowAt(prefix, pipeline, work)
    return nested !== undefined && this.into(nested, nested.main, prefix, inner)
  }

  /** The workflow that has every stage on record below the prefix. */
  private workflowAt(prefix: string, pipeline: Pipeline, work: KindWork): Pipeline | undefined {
    const ids = [...this.occurrences(prefix)].map((path) => lastOf(path).id)
    const known =
      work.workflows.length === 0
        ? [...pipeline.workflows.values()]
        : work.workflows.flatMap((path) => pipeline.workflows.get(path) ?? [])
    return known.find(({ main: { nodes } }) =>
      ids.every((id) => isEngines(id) || nodes.some((node) => node.id === id)),
    )
  }

  /** Adds what an enclosing stage did after its inner stages: a fallback, later attempts, its own record. */
  private addEnclosing(path: string, attempt: number): void {
    this.around.push({ path, attempt })
    this.again.add(below(path, "fallback", 1))
    for (const name of this.names) {
      if (!isBelow(name, path)) continue
      const later = numberOf(segmentsOf(name.slice(path.length + 1))[0]!, "attempt")
      if (later !== undefined && later > attempt) this.again.add(below(path, "attempt", later))
    }
  }

  private addLaterIterations(path: string, iteration: number): void {
    const depth = lastOf(path).indices.length
    for (const name of this.names) {
      if (!isPathWithin(name, path)) continue
      const [segment = ""] = segmentsOf(name.slice(path.lastIndexOf("/") + 1))
      const index = segmentOf(segment).indices[depth]
      if (index !== undefined && index > iteration) this.again.add(itemAt(path, index))
    }
  }

  /** Returns the paths directly below the prefix, without item or iteration. */
  private occurrences(prefix: string): ReadonlySet<string> {
    const found = new Set<string>()
    for (const name of this.names) {
      if (!name.startsWith(prefix)) continue
      const { id, round } = segmentOf(segmentsOf(name.slice(prefix.length))[0]!)
      found.add(occurrenceAt(prefix, id, round))
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
