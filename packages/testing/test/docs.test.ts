/** Every YAML file that the documentation shows is checked as a user's file would be. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { vocabularyKind } from "@planloom/analyst"
import { checkFile, pluginFileKind } from "@planloom/language"
import { load } from "@planloom/embed"
import hooks from "@planloom/hooks"
import { run } from "@planloom/core"
import type { FileKind } from "@planloom/plugin/effect"
import { fileKinds } from "../src/file/fileKinds.ts"

const root = join(import.meta.dirname, "../../..")
const pages = ["README.md", ...globSync(["docs/*.md", "packages/*/README.md"], { cwd: root })]

const [hookSetKind] = hooks.components!.fileKinds as [FileKind]

/** Blocks that are whole files. They are checked as if they stood in the page's own folder. */
const blocks = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), "utf8")
  return [...text.matchAll(/^```yaml\n(apiVersion:[\s\S]*?)^```$/gm)].map((match, index) => ({
    name: `${page} #${index + 1}`,
    path: join(root, page.startsWith("docs/") ? "docs" : "workflows", `block_${index}.yaml`),
    text: match[1]!,
  }))
})

describe("the documentation's YAML", () => {
  it("is there to be checked", () => {
    assert.isAtLeast(blocks.length, 5)
  })

  it.effect.each(blocks)("$name has no problem", ({ path, text }) =>
    Effect.gen(function* () {
      const { diagnostics } = yield* checkFile(path, {
        kinds: [...fileKinds, pluginFileKind(vocabularyKind), pluginFileKind(hookSetKind)],
        texts: new Map([[path, text]]),
      })
      assert.deepStrictEqual(
        diagnostics.map(
          ({ code, message, start }) => `${start.line}:${start.col} ${code} ${message}`,
        ),
        [],
      )
    }),
  )
})

describe("the documentation's provider", () => {
  it.live("answers a workflow", () =>
    Effect.gen(function* () {
      const page = readFileSync(join(root, "docs/plugins.md"), "utf8")
      const code = /## A provider\n\n```ts\n([^]*?)```/.exec(page)![1]!
      // In here, so that its imports are found.
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(import.meta.dirname, "provider-"))),
        (made) => Effect.sync(() => rmSync(made, { recursive: true })),
      )
      writeFileSync(join(folder, "loud.mjs"), code)
      writeFileSync(
        join(folder, "shout.yaml"),
        `apiVersion: planloom/v1
kind: Workflow
name: shout
use: { plugins: ["@planloom/stages", ./loud.mjs] }
defaults: { model: loud/echo }
stages: [{ id: said, uses: generate, with: { task: hello } }]
outputs: { said: { type: string, value: "\${{ stages.said.output.text }}" } }
`,
      )
      const { pipeline } = yield* load(join(folder, "shout.yaml"), {
        plugins: { "@planloom/stages": async () => (await import("@planloom/stages")).default },
      })
      const { outputs } = yield* run(pipeline, {})
      assert.include(String(outputs["said"]), "HELLO")
    }).pipe(Effect.scoped),
  )
})
