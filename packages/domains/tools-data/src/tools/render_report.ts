/** Renders the answer with charts, tables and plan as one HTML page. */
import { mkdir, writeFile } from "node:fs/promises"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import type { Json, ToolInvocation } from "@planloom/plugin/effect"
import { failed, type DataFailed } from "../DataFailed.ts"
import type { DataTool } from "../DataTool.ts"
import { readReport } from "../report/Report.ts"
import { renderReport } from "../report/renderReport.ts"

const write = (invocation: ToolInvocation, page: string) =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(invocation.workspace, { recursive: true })
      const file = path.join(invocation.workspace, "report.html")
      await writeFile(file, page, "utf8")
      return file
    },
    catch: (error) => failed(`the report cannot be written: ${(error as Error).message}`),
  })

const part = (description: string) => ({ description })

export const render_report: DataTool = {
  tool: {
    name: "render_report",
    summary: "Writes one self-contained HTML page: answer, charts, tables, plan and requirements.",
    capabilities: ["report"],
    inputs: {},
    params: {
      type: "object",
      properties: {
        question: { type: "string", description: "What was asked." },
        answer: {
          type: "string",
          description: "The answer in words; plain text, lists with `- `.",
        },
        title: {
          type: "string",
          role: "title",
          description: "A heading; the question unless given.",
        },
        plan: part("The plan: {steps}."),
        coverage: part("The coverage report, for its matrix of requirements and steps."),
        results: part(
          "Results of the steps, in any shape: every table and chart in them is shown.",
        ),
        notes: {
          type: "array",
          items: { type: "string" },
          description: "What a reader should know.",
        },
      },
      additionalProperties: false,
    },
    outputs: ["report"],
    effect: "none",
    group: "output",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const report = readReport({ ...invocation.params, ...invocation.inputs })
    const page = renderReport(report)
    const file = yield* write(invocation, page)
    return { type: "report", title: report.title ?? report.question, html: page, path: file }
  }),
}
