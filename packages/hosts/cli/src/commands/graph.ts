/** `planloom graph`: a diagram of a workflow. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { out, reading, workflow } from "./options.ts"

export const graph = Command.make(
  "graph",
  {
    workflow,
    format: Flag.Literals("format", ["mermaid", "dot", "svg", "json"]).pipe(
      Flag.withMetavar("mermaid|dot|svg|json"),
      Flag.withDescription("Mermaid text, Graphviz text, an SVG image, or JSON data"),
      Flag.withDefault("mermaid"),
    ),
    out: out("File to write to instead of standard output"),
    ...reading,
  },
  deferred(async () => (await import("../graph/drawGraph.ts")).drawGraph),
).pipe(
  Command.withDescription(
    "Draw the stages of a workflow: order, conditions, loops, parallel stages, reruns after a failed assertion.",
  ),
  Command.withShortDescription("Draw the stages of a workflow"),
  Command.withExamples([
    { command: "planloom graph workflows/plan.yaml --format svg --out plan.svg" },
  ]),
)
