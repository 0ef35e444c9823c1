/** Params that `check` accepts without a word are not refused when the call is made. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { run } from "@planloom/core"
import { check, load } from "@planloom/embed"
import {
  definePlugin,
  type Json,
  type JsonObject,
  type JsonSchema,
  type ToolSource,
} from "@planloom/plugin/effect"
import stages from "../src/index.ts"
import { cases } from "../../../../.config/cases.ts"

const folder = mkdtempSync(join(tmpdir(), "params-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const properties: { readonly [name: string]: JsonSchema } = {
  id: { type: "integer", minimum: 1 },
  mode: { enum: ["fast", "slow"] },
  tags: { type: "array", items: { type: "string" }, maxItems: 2 },
  note: { type: "string", maxLength: 5 },
  when: { type: "string", format: "date" },
  nested: {
    type: "object",
    required: ["a"],
    properties: { a: { type: "boolean" }, b: { $ref: "#/$defs/code" } },
    additionalProperties: false,
  },
}

/** Valid params; expressions among them. */
const valid: JsonObject = {
  id: "${{ inputs.count }}",
  mode: "fast",
  tags: ["a", "${{ inputs.word }}"],
  note: "short",
  when: "2026-01-31",
  nested: { a: "${{ inputs.flag }}", b: "AB" },
}

const inputs = { count: 3, word: "a longer text", flag: true, list: ["x", "y", "z"], any: "what" }

const sourceOf = (closed: boolean | undefined): ToolSource => ({
  id: "shop",
  summary: "A shop.",
  list: Effect.succeed({
    tools: [
      {
        name: "order",
        summary: "Orders.",
        capabilities: [],
        inputs: {},
        outputs: [],
        effect: "read",
        params: {
          type: "object",
          required: ["id", "mode"],
          properties,
          $defs: { code: { type: "string", pattern: "^[A-Z]+$" } },
          ...(closed === undefined ? {} : { additionalProperties: !closed }),
        } as JsonSchema,
      },
    ],
  }),
  call: () => Effect.succeed({ value: "done" }),
})

const literal: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    0,
    1,
    2.5,
    -3,
    true,
    null,
    "",
    "fast",
    "medium",
    "much too long",
    "2026-02-30",
    "2026-02-01",
    "ab",
    "AB",
  ),
  fc.constantFrom<Json>(
    [],
    ["a"],
    ["a", "b", "c"],
    [1],
    {},
    { a: true },
    { a: 1 },
    { a: true, c: 1 },
    { a: true, b: "ab" },
  ),
)

const expression = fc.constantFrom(
  ...["count", "word", "flag", "list", "any"].map((name) => `\${{ inputs.${name} }}`),
  "${{ inputs.count - 5 }}",
  "${{ inputs.flag ? 'fast' : 'slow' }}",
  "${{ inputs.flag ? 'fast' : 3 }}",
  "${{ stages.free.output }}",
  "${{ inputs.list.map(x, x + '!') }}",
  "no ${{ inputs.count }}",
)

const value = fc.oneof(literal, expression)
const place = fc.constantFrom(...Object.keys(properties), "nested.a", "nested.b", "tags.0")

/** What an edit does to a key: removes it, gives it another name, or another value. */
const edit = fc.oneof(
  fc.record({ to: fc.constant("remove" as const), at: place }),
  fc.record({
    to: fc.constant("rename" as const),
    at: place,
    name: fc.constantFrom("ident", "moed", "extra"),
  }),
  fc.record({ to: fc.constant("set" as const), at: place, value }),
)

const edited = (
  params: JsonObject,
  change: typeof edit extends fc.Arbitrary<infer E> ? E : never,
): JsonObject => {
  const copy = structuredClone(params) as { [name: string]: any }
  const path = change.at.split(".")
  const key = path.pop()!
  const owner = path.reduce(
    (around, step) => (typeof around === "object" && around !== null ? around[step] : undefined),
    copy,
  )
  if (typeof owner !== "object" || owner === null) return copy
  if (change.to === "set") owner[key] = change.value
  else {
    if (change.to === "rename" && Object.hasOwn(owner, key)) owner[change.name] = owner[key]
    if (Array.isArray(owner)) owner.splice(Number(key), 1)
    else delete owner[key]
  }
  return copy
}

const workflow = (params: JsonObject): string => `
apiVersion: planloom/v1
kind: Workflow
name: order
inputs:
  count: { type: integer, minimum: 1 }
  word: { type: string }
  flag: { type: boolean }
  list: { type: array, items: { type: string } }
  any: {}
stages:
  - { id: free, uses: set, with: { value: "\${{ inputs.any }}" } }
  - id: order
    uses: call
    with: ${JSON.stringify({ tool: "order", params })}
outputs:
  all: { value: "\${{ [inputs.count, inputs.word, inputs.flag, inputs.list] }}" }
`

/** The diagnostics of a workflow with these params, and the failure of its run; undefined for a run that succeeds. */
const outcomeOf = (params: JsonObject, closed: boolean | undefined) => {
  const path = join(folder, "order.yaml")
  writeFileSync(path, workflow(params))
  const options = {
    extraPlugins: [
      stages,
      definePlugin({ id: "shop", summary: "A shop.", components: { tools: [sourceOf(closed)] } }),
    ],
  }
  return Effect.gen(function* () {
    const { diagnostics } = yield* check(path, options)
    if (diagnostics.some(({ severity }) => severity === "error"))
      return { diagnostics, failure: undefined }
    const failure = yield* Effect.scoped(
      Effect.flatMap(load(path, options), ({ pipeline }) =>
        Effect.match(run(pipeline, inputs), {
          onSuccess: () => undefined,
          onFailure: (error) => error.message,
        }),
      ),
    )
    return { diagnostics, failure }
  }).pipe(Effect.runPromise)
}

describe("the params of a call", () => {
  it("that are valid pass without a word, and the call is made", async () => {
    expect(await outcomeOf({ ...valid, tags: ["a", "b"] }, true)).toEqual({
      diagnostics: [],
      failure: undefined,
    })
  })

  it("that a run refuses do not pass check in silence, whatever was edited", async () => {
    let refused = 0
    let passed = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(true, false, undefined),
        async (edits, closed) => {
          const params = edits.reduce(edited, valid)
          const { diagnostics, failure } = await outcomeOf(params, closed)
          if (failure !== undefined) {
            refused++
            expect(diagnostics, `${JSON.stringify(params)}: ${failure}`).not.toEqual([])
          } else if (diagnostics.length === 0) passed++
        },
      ),
      { numRuns: cases(120) },
    )
    // Both kinds of params were met.
    expect(Math.min(refused, passed)).toBeGreaterThan(2)
  }, 300_000)
})
