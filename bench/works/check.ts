/** Reading and checking a workflow of about a thousand lines. */
import * as Effect from "effect/Effect"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkWorkflow } from "@planloom/language"
import { increments } from "./increments.ts"
import type { Start } from "./Work.ts"

const stages = Array.from(
  { length: 200 },
  (_, index) => `  - id: s${index}
    uses: increment
    if: inputs.n > ${index} && inputs.text.startsWith("a")
    with:
      value: "\${{ ${index === 0 ? "inputs.n" : `has(stages.s${index - 1}.output) ? stages.s${index - 1}.output : inputs.n`} }}"`,
)
const text = `apiVersion: planloom/v1
kind: Workflow
name: large
inputs: { n: { type: integer }, text: { type: string } }
stages:
${stages.join("\n")}
outputs: { n: { type: integer, value: "\${{ has(stages.s199.output) ? stages.s199.output : 0 }}" } }
`

export const start: Start = async () => {
  const file = join(mkdtempSync(join(tmpdir(), "planloom-bench-")), "large.yaml")
  writeFileSync(file, text)
  const checking = Effect.scoped(checkWorkflow(file, { extraPlugins: [increments] }, "check"))
  return async () => {
    const { workflow, diagnostics } = await Effect.runPromise(checking)
    if (workflow === undefined) throw new Error(JSON.stringify(diagnostics))
  }
}
