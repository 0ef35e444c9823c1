/** Loads a workflow written inside a test, with stage kinds written beside it. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { definePlugin, stageKind, type Components, type StageKind } from "@planloom/plugin/effect"
import { load } from "@planloom/embed"

/** Adds one to `value`. */
export const increment: StageKind = stageKind<{ readonly value: number }>({
  id: "increment",
  summary: "Adds one.",
  input: {
    type: "object",
    properties: { value: { type: "integer" } },
    required: ["value"],
    additionalProperties: false,
  },
  output: { type: "integer" },
  run: ({ value }) => Effect.succeed(value + 1),
})

/** Gives back `value`, whatever it is. */
export const echo: StageKind = stageKind<{ readonly value: string }>({
  id: "echo",
  summary: "Gives back its value.",
  input: { type: "object", properties: { value: true }, required: ["value"] },
  output: true,
  run: ({ value }) => Effect.succeed(value),
})

export const plugin = (components: Components) =>
  definePlugin({ id: "test", summary: "Stage kinds of a test.", components })

/** `body` is a workflow without its first three lines. */
export const workflowOf = (body: string, components: Components = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"))
  const path = join(folder, "workflow.yaml")
  writeFileSync(path, `apiVersion: planloom/v1\nkind: Workflow\nname: test\n${body}`)
  return load(path, {
    // Nested workflows and examples are written to folders of their own.
    roots: [tmpdir()],
    extraPlugins: [
      plugin({ ...components, stages: [increment, echo, ...(components.stages ?? [])] }),
    ],
  })
}
