/** Implements `planloom graph`: prints a diagram of a workflow. */
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withChecked } from "../project/withWorkflow.ts"
import { writeText } from "../project/writeText.ts"
import { dot } from "./dot.ts"
import { graphOf, type Graph } from "./Graph.ts"
import { mermaid } from "./mermaid.ts"
import { svg } from "./svg.ts"

export interface GraphFlags extends ReadingFlags {
  readonly workflow: string
  readonly format: "mermaid" | "dot" | "svg" | "json"
  readonly out: string | undefined
}

const json = (graph: Graph): string => `${JSON.stringify(graph, null, 2)}\n`

const renderers = { mermaid, dot, svg, json }

export const drawGraph: Handler<GraphFlags> = (flags) =>
  withChecked(flags.workflow, flags, ({ pipeline }) =>
    Effect.as(writeText(renderers[flags.format](graphOf(pipeline)), flags.out), "ok" as ExitName),
  )
