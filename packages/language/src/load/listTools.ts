/** The tools that each source of a workflow lists; a source that lists none or only some is reported. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Tool, ToolFailed, ToolSource } from "@planloom/plugin/effect"
import { locateProblem } from "../definition/Problem.ts"
import type { KnownComponents } from "../definition/Resources.ts"
import type { Document } from "../source/Document.ts"
import type { Reading } from "./Reading.ts"

/** The tools of a source. */
export interface ListedTools {
  readonly source: ToolSource
  readonly tools: ReadonlyArray<Tool>
  /** Why some or all of its tools are missing. */
  readonly problem?: string
}

/** Lists the tools of all sources. One that fails, throws or returns another shape does not affect the others. */
export const listedTools = (
  sources: Iterable<ToolSource>,
): Effect.Effect<ReadonlyArray<ListedTools>> =>
  Effect.forEach(sources, (source) =>
    Effect.matchCauseEffect(
      Effect.suspend(() => source.list),
      {
        onSuccess: (listed) => Effect.succeed({ source, ...toolsOf(listed) }),
        onFailure: (cause) =>
          Cause.hasInterrupts(cause)
            ? Effect.failCause(cause as Cause.Cause<never>)
            : Effect.succeed({ source, tools: [], problem: unlisted(cause) }),
      },
    ),
  )

export const listTools = (components: KnownComponents, document: Document, reading: Reading) =>
  Effect.map(listedTools(components.tools.values()), (listed) => {
    for (const { problem, source } of listed) {
      if (problem === undefined) continue
      reading.diagnostics.push(
        locateProblem(document, {
          code: "PL4013",
          severity: "warning",
          message: `the tool source "${source.id}" ${problem}`,
          path: ["use", "plugins"],
          spot: "key",
        }),
      )
    }
    return listed
  })

const unlisted = (cause: Cause.Cause<ToolFailed>): string => {
  const error = Cause.squash(cause)
  const why = error instanceof Error ? error.message : String(error)
  return `cannot list its tools: ${why}; only the catalogs' entries are known`
}

const toolsOf = (listed: unknown): Omit<ListedTools, "source"> => {
  const { partial, tools } = (listed ?? {}) as {
    readonly partial?: string
    readonly tools?: unknown
  }
  if (!Array.isArray(tools)) {
    return { tools: [], problem: "cannot list its tools: `list` returned no { tools: [...] }" }
  }
  const usable = tools.filter(isTool)
  const broken = tools.length - usable.length
  if (broken > 0) {
    const problem = `lists only some of its tools: ${broken} without a \`name\`, a \`summary\` or \`params\``
    return { tools: usable, problem }
  }
  return partial === undefined
    ? { tools: usable }
    : { tools: usable, problem: `lists only some of its tools: ${partial}` }
}

const isTool = (given: unknown): given is Tool => {
  const { name, params, summary } = (given ?? {}) as { readonly [member: string]: unknown }
  return (
    typeof name === "string" &&
    typeof summary === "string" &&
    (typeof params === "boolean" || (typeof params === "object" && params !== null))
  )
}
