/** The conference guide in a project of its own, whose model is a scripted server that speaks Anthropic's wire format. */
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { wireServer, type WireAnswer, type WireServer } from "@planloom/testing"
import type { Json } from "@planloom/plugin/effect"
import { trusting } from "./planloom.ts"

const root = join(import.meta.dirname, "../../../..")

export const GUIDE = "workflows/conference_guide.yaml"

export interface ScriptedGuide extends AsyncDisposable {
  readonly cwd: string
  readonly env: { readonly [name: string]: string }
  readonly model: WireServer
}

/** In a folder of its own, which is removed in the end. */
export const scriptedGuide = async (): Promise<ScriptedGuide> => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-guide-")))
  const model = await wireServer({ models: ["claude-sonnet-5-5", "claude-haiku-4-5"] })
  const copied = [GUIDE, "templates/prompts/conference_guide"]
  for (const path of [...copied, ...["sessions", "exhibitors", "speakers"].map(tableOf)])
    await cp(join(root, path), join(cwd, path), { recursive: true })
  await mkdir(join(cwd, "workflows"), { recursive: true })
  await writeFile(
    join(cwd, "planloom.yaml"),
    `apiVersion: planloom/v1
kind: Project
plugins: { "@planloom/provider-anthropic": { base_url: "${model.url}" } }
`,
  )
  await trusting(cwd)
  return {
    cwd,
    env: { ANTHROPIC_API_KEY: "sk-not-a-real-key" },
    model,
    [Symbol.asyncDispose]: async () => {
      await model.close()
      await rm(cwd, { recursive: true, force: true })
    },
  }
}

const tableOf = (name: string): string => `examples/guide/${name}.csv`

/** The answer to the question for a plan: searches of `[library, query]`. */
export const planned = (...queries: ReadonlyArray<readonly [string, string]>): WireAnswer => ({
  when: "You plan the searches",
  json: { queries: queriesOf(queries) },
})

/** The answer to the question for a reflection. */
export const reflected = (
  strategy: string,
  message: string,
  ...queries: ReadonlyArray<readonly [string, string]>
): WireAnswer => ({
  when: "You reflect on the searches",
  json: { strategy, user_message: message, new_queries: queriesOf(queries) },
})

const queriesOf = (queries: ReadonlyArray<readonly [string, string]>): Json =>
  queries.map(([library, query]) => ({ library, query }))
