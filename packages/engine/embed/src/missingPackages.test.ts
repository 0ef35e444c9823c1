/** A plugin whose optional package is missing is reported where the workflow names it. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import stages from "@planloom/stages"
import * as Effect from "effect/Effect"
import { check } from "./Workflow.ts"

it.effect(
  "a plugin without its optional package is a warning with the command that installs it",
  () =>
    Effect.gen(function* () {
      const path = join(mkdtempSync(join(tmpdir(), "planloom-missing-")), "flow.yaml")
      writeFileSync(
        path,
        `apiVersion: planloom/v1
kind: Workflow
name: flow
use: { plugins: ["@planloom/stages"] }
stages: [{ id: ask, uses: approve, with: { message: Hello } }]
`,
      )
      const plugins = { "@planloom/stages": async () => stages }
      const missing = (name: string) => (name === "@planloom/stages" ? ["sdk", "database"] : [])
      const { diagnostics, workflow } = yield* check(path, { plugins, missing })
      assert.isDefined(workflow)
      assert.strictEqual(diagnostics.length, 1)
      const { code, help, message, severity, start } = diagnostics[0]!
      assert.deepStrictEqual(
        [code, severity, message, help, start.line],
        [
          "PL4045",
          "warning",
          'the plugin "@planloom/stages" needs sdk database, which is not installed',
          "npm install sdk database",
          4,
        ],
      )
      assert.deepStrictEqual((yield* check(path, { plugins })).diagnostics, [])
    }),
)
