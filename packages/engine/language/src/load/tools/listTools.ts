/** The tools that each source of a workflow lists; a source that lists none or only some is reported. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Tool, ToolFailed, ToolList, ToolSource } from "@planloom/plugin/effect"
import { locateProblem } from "../../definition/Problem.ts"
import type { KnownComponents } from "../../definition/Resources.ts"
import type { Document } from "../../source/Document.ts"
import type { Reading } from "../Reading.ts"

/** The tools of a source. */
export interface ListedTools extends Pick<
  ToolList,
  "concerns" | "expires" | "open" | "synchronized" | "tools"
> {
  readonly source: ToolSource
  /** Why some or all of its tools are missing. */
  readonly problem?: string
}

/** A tool source some of whose tools are missing. */
export interface ListProblem {
  /** Id of the source. */
  readonly source: string
  /** A clause: `cannot list its tools: no route`. */
  readonly reason: string
}

export const listProblems = (
  listed: ReadonlyArray<Pick<ListedTools, "problem" | "source">>,
): ReadonlyArray<ListProblem> =>
  listed.flatMap(({ problem, source }) =>
    problem === undefined ? [] : [{ source: source.id, reason: problem }],
  )

/**
 * Lists the tools of all sources, in declared order, at the same time: one that is slow, fails, throws or returns another
 * shape does not affect the others. A check starts no source that knows its list; a run starts one only for a list that
 * is incomplete.
 */
export const listedTools = (
  sources: Iterable<ToolSource>,
  purpose: "check" | "load",
): Effect.Effect<ReadonlyArray<ListedTools>> =>
  Effect.forEach(sources, (source) => listedBy(source, purpose), { concurrency: "unbounded" })

const listedBy = (source: ToolSource, purpose: "check" | "load"): Effect.Effect<ListedTools> => {
  const { known } = source
  if (known === undefined) return readList(source, () => source.list)
  const remembered = readList(source, () => known)
  return purpose === "check"
    ? remembered
    : Effect.flatMap(remembered, (list) =>
        list.problem === undefined && list.open === undefined
          ? Effect.succeed(list)
          : Effect.map(relisted(source), (read) => orKnown(read, list)),
      )
}

/** A list that could not be read leaves the known one. */
const orKnown = (read: ListedTools, known: ListedTools): ListedTools =>
  read.problem !== undefined && read.tools.length === 0 ? { ...known, problem: read.problem } : read

/** Reads the list of a source anew. */
export const relisted = (source: ToolSource): Effect.Effect<ListedTools> =>
  readList(source, () => source.list)

/** A list as a source gave it, or as a record has it. */
export const readToolList = (source: ToolSource, given: unknown): ListedTools => ({
  source,
  ...toolsOf(given),
})

const readList = (
  source: ToolSource,
  list: () => Effect.Effect<ToolList, ToolFailed>,
): Effect.Effect<ListedTools> =>
  Effect.matchCauseEffect(Effect.suspend(list), {
    onSuccess: (listed) => Effect.succeed(readToolList(source, listed)),
    onFailure: (cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.failCause(cause as Cause.Cause<never>)
        : Effect.succeed({ source, tools: [], problem: unlisted(cause) }),
  })

export const listTools = (
  components: KnownComponents,
  document: Document,
  reading: Reading,
  purpose: "check" | "load",
) =>
  Effect.map(listedTools(components.tools.values(), purpose), (listed) => {
    const warn = (code: string, message: string) =>
      reading.diagnostics.push(
        locateProblem(document, {
          code,
          severity: "warning",
          message,
          path: ["use", "plugins"],
          spot: "key",
        }),
      )
    for (const { concerns = [], expires = Infinity, problem, source, synchronized } of listed) {
      for (const concern of concerns) warn("PL4049", concern)
      if (problem !== undefined) warn("PL4013", `the tool source "${source.id}" ${problem}`)
      else if (expires < Date.now()) {
        const read = synchronized === undefined ? "" : ` is of ${timeText(synchronized)} and`
        warn(
          "PL4048",
          `the list of tools of the source "${source.id}"${read} held until ${timeText(expires)}`,
        )
      }
    }
    return listed
  })

/** In UTC, to the minute. */
const timeText = (ms: number): string =>
  new Date(Math.min(Math.max(ms, 0), MAX_TIME_MS)).toISOString().slice(0, 16).replace("T", " ")

/** The last instant that a `Date` has. */
const MAX_TIME_MS = 8.64e15

const unlisted = (cause: Cause.Cause<ToolFailed>): string => {
  const error = Cause.squash(cause)
  const why = error instanceof Error ? error.message : String(error)
  return `cannot list its tools: ${why}; only the catalogs' entries are known`
}

const toolsOf = (listed: unknown): Omit<ListedTools, "source"> => {
  const { concerns, expires, open, partial, synchronized, tools } = (listed ?? {}) as {
    readonly [member in keyof ToolList]?: unknown
  }
  if (!Array.isArray(tools)) {
    return { tools: [], problem: "cannot list its tools: `list` returned no { tools: [...] }" }
  }
  const usable = tools.filter(isTool)
  const broken = tools.length - usable.length
  const missing = broken > 0 ? `${broken} without a \`name\`, a \`summary\` or \`params\`` : partial
  return {
    tools: usable,
    ...(missing === undefined
      ? {}
      : { problem: `lists only some of its tools: ${String(missing)}` }),
    ...(Number.isFinite(synchronized) ? { synchronized: synchronized as number } : {}),
    ...(Number.isFinite(expires) ? { expires: expires as number } : {}),
    ...(Array.isArray(concerns)
      ? { concerns: concerns.filter((one) => typeof one === "string") }
      : {}),
    ...(Array.isArray(open) ? { open: open.filter((one) => typeof one === "string") } : {}),
  }
}

const isTool = (given: unknown): given is Tool => {
  const { name, params, summary } = (given ?? {}) as { readonly [member: string]: unknown }
  return (
    typeof name === "string" &&
    typeof summary === "string" &&
    (typeof params === "boolean" || (typeof params === "object" && params !== null))
  )
}
