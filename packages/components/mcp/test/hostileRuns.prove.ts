/** Runs with a good server and a hostile one: whatever that does, they end with the results of the good one. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import stages from "@planloom/stages"
import { cases } from "../../../../.config/cases.ts"
import plugin from "../src/index.ts"
import { newState, server, testFolder } from "./callServer.ts"

/** Of the list; its tool `add` is called, which may be missing. */
const lists =
  "bad_schema bad_names dup_names long_names long_description task_only deep_schema bottomless_schema endless_same endless_new empty_cursor no_list cannot_list no_cache short_cache crash_start silent dies_at_probe noise bom string_id flood ignore_sigterm rug_pull".split(
    " ",
  )
/** Of results of `add`. */
const results = "wrong_output no_output error_structured deep_output dying_reads".split(" ")
/** Tools of a server that is good but for them, with the text that they get. */
const tools: ReadonlyArray<readonly [tool: string, text: string]> = [
  ["content", "unknown,bad_base64,text"],
  ["fail", ""],
  ["slow", ""],
  ["progress", "forever"],
  ["ask", "form"],
  ["ask", "url"],
  ["sample", ""],
  ["roots", ""],
  ["env", ""],
  ["die", ""],
  ["change", ""],
]

interface Hostile {
  readonly mode: string
  readonly calls: ReadonlyArray<object>
}

const adding = { tool: "bad.add", params: { a: 1, b: 2 } }
const ofMode = [...lists, ...results].map((mode): Hostile => ({ mode, calls: [adding] }))
const ofTool = tools.map(([tool, text]): Hostile => ({
  mode: "good",
  calls: [{ tool: `bad.${tool}`, params: { text } }],
}))
const combined: fc.Arbitrary<Hostile> = fc.oneof(
  fc.constantFrom(...ofMode),
  fc
    .uniqueArray(fc.constantFrom(...ofTool), { minLength: 2, maxLength: 4 })
    .map((several) => ({ mode: "good", calls: several.flatMap(({ calls }) => calls) })),
)

let project = ""
let projects = 0
const unhandled: Array<unknown> = []
const note = (error: unknown) => void unhandled.push(error)

beforeEach(() => {
  project = join(testFolder(), `runs-${++projects}`)
  mkdirSync(join(project, "workflows"), { recursive: true })
  vi.stubEnv("PLANLOOM_STATE_DIR", newState())
  process.on("unhandledRejection", note)
})
afterEach(() => {
  process.off("unhandledRejection", note)
  vi.unstubAllEnvs()
})

const plugins = {
  "@planloom/stages": async () => stages,
  "@planloom/mcp": async () => plugin,
}

let flows = 0
const outcomeOf = async ({ calls, mode }: Hostile) => {
  const bad = server(mode, {
    start_timeout: "1s",
    timeout: "500ms",
    max_message_bytes: 1_000_000,
  })
  const path = join(project, `workflows/flow-${++flows}.yaml`)
  const lost = calls.map((call, at) => ({
    id: `lost_${at}`,
    uses: "call",
    with: call,
    on_error: "continue",
  }))
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: flow
use: { plugins: ["@planloom/stages", "@planloom/mcp"] }
mcp: ${JSON.stringify({ bad: bad.declared, good: server("good").declared })}
stages: ${JSON.stringify([...lost, { id: "kept", uses: "call", with: { tool: "good.add", params: { a: 2, b: 3 } } }])}
outputs: { sum: { type: number, value: "\${{ stages.kept.output.sum }}" } }
`,
  )
  return Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(load(path, { plugins }), ({ pipeline }) =>
        run(pipeline, {}, { workspace: join(project, "work") }),
      ),
    ),
  )
}

const keepsGood = async (hostile: Hostile) => {
  const { outputs, status } = await outcomeOf(hostile)
  expect({ ...hostile, outputs, status }).toEqual({
    ...hostile,
    outputs: { sum: 5 },
    status: "succeeded",
  })
}

/** Most of a run is waiting for the limits of the hostile server. */
const AT_ONCE = 20

it("the good server's results are those of the run, in every mode of the hostile one", async () => {
  const all = [...ofMode, ...ofTool]
  for (let from = 0; from < all.length; from += AT_ONCE) {
    await Promise.all(all.slice(from, from + AT_ONCE).map(keepsGood))
  }
  expect(unhandled).toEqual([])
}, 120_000)

it("the good server's results are those of runs beside each other, with several hostile calls each", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(combined, { minLength: 1, maxLength: 4 }), async (several) => {
      await Promise.all(several.map(keepsGood))
    }),
    { numRuns: cases(3) },
  )
  expect(unhandled).toEqual([])
}, 120_000)
