/** The user of a run: what reads it, and when a run is refused because of it. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { check } from "@planloom/embed"
import { stageKind, userDigest, type Json, type JsonObject } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { collect } from "../../../test/collect.ts"
import { workflowOf, plugin } from "../../../test/inline.ts"
import { InputsRejected } from "../InputsRejected.ts"
import { run } from "../run.ts"
import type { RunOptions } from "../RunOptions.ts"

/** Gives back the user of its context. */
const whoami = stageKind({
  id: "whoami",
  summary: "Gives back the user.",
  input: { type: "object" },
  output: true,
  run: (_, { user }) => Effect.succeed(user as Json),
})

const user = `
user:
  type: object
  required: [id]
  additionalProperties: false
  properties:
    id: { type: string, minLength: 1 }
    name: { type: string }
    tier: { enum: [free, premium] }
`

const body = `${user}
stages:
  - { id: who, uses: whoami }
  - id: greet
    uses: echo
    with: { value: 'Hello \${{ has(user.name) ? user.name : user.id }}' }
  - { id: offer, uses: echo, if: has(user.tier) && user.tier == "premium", with: { value: support } }
outputs:
  who: "\${{ stages.who.output }}"
  greeting: "\${{ stages.greet.output }}"
  offer: '\${{ stages.offer.outcome }}'
`

const rejected = (text: string, options: RunOptions) =>
  Effect.gen(function* () {
    const { pipeline } = yield* workflowOf(text, { stages: [whoami] })
    const started: Array<string> = []
    const failure = yield* Effect.flip(
      run(pipeline, {}, { ...options, onEvent: ({ type }) => void started.push(type) }),
    )
    assert.deepStrictEqual(started, [])
    assert.instanceOf(failure, InputsRejected)
    return failure as InputsRejected
  })

describe("the user of a run", () => {
  it.effect("is read by expressions and by stage kinds", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(body, { stages: [whoami] })
      const ann = { id: "u_1", name: "Ann", tier: "premium" }
      const { result } = yield* collect(pipeline, {}, { user: ann })
      assert.deepStrictEqual(result.outputs, {
        who: ann,
        greeting: "Hello Ann",
        offer: "success",
      })
      const other = yield* collect(pipeline, {}, { user: { id: "u_2" } })
      assert.deepStrictEqual(other.result.outputs, {
        who: { id: "u_2" },
        greeting: "Hello u_2",
        offer: "skipped",
      })
    }),
  )

  it.effect("is in no event that starts a run", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(body, { stages: [whoami] })
      const { events } = yield* collect(pipeline, {}, { user: { id: "u_1", name: "Ann" } })
      const [started] = events
      assert.strictEqual(started?.type, "RunStarted")
      assert.notInclude(JSON.stringify(started), "Ann")
    }),
  )

  it.effect("is refused before anything runs when a field does not fit", () =>
    Effect.gen(function* () {
      const failure = yield* rejected(body, { user: { id: "u_1", tier: "gold" } })
      assert.strictEqual(failure.subject, "user")
      assert.deepStrictEqual(
        failure.issues.map(({ path }) => path),
        ["/tier"],
      )
      assert.include(failure.message, 'the user of "test" does not fit: tier must be one of')
      const empty = yield* rejected(body, { user: { name: "Ann" } })
      assert.include(empty.message, '"id"')
    }),
  )

  it.effect("is required by a workflow whose schema rejects an empty object", () =>
    Effect.gen(function* () {
      const failure = yield* rejected(body, {})
      assert.include(failure.message, "declares `user:` and needs a user")
      assert.include(failure.issues.map(({ message }) => message).join(), '"id"')
    }),
  )

  it.effect("may be missing when the schema accepts an empty object", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        body.replace("required: [id]", "required: []").replace(": user.id", ': "you"'),
        {
          stages: [whoami],
        },
      )
      const { result } = yield* collect(pipeline)
      assert.deepStrictEqual(result.outputs, { who: {}, greeting: "Hello you", offer: "skipped" })
    }),
  )

  it.effect("is refused by a workflow that declares none", () =>
    Effect.gen(function* () {
      const failure = yield* rejected("stages: [{ id: who, uses: whoami }]", {
        user: { id: "u_1" },
      })
      assert.strictEqual(failure.subject, "user")
      assert.include(failure.message, "takes no user")
    }),
  )

  it("has a digest of its id only", () => {
    const ids: ReadonlyArray<JsonObject | undefined> = [undefined, {}, { id: "" }, { id: true }]
    for (const none of ids) assert.isUndefined(userDigest(none))
    assert.match(userDigest({ id: "u_1" })!, /^[\da-f]{64}$/)
    assert.strictEqual(userDigest({ id: "u_1" }), userDigest({ id: "u_1", name: "Ann" }))
    assert.notStrictEqual(userDigest({ id: "1" }), userDigest({ id: 1 }))
  })
})

const write = (files: { readonly [name: string]: string }): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-"))
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(
      join(folder, name),
      `apiVersion: planloom/v1\nkind: Workflow\nname: ${name.replace(".yaml", "")}\n${text}`,
    )
  }
  return join(folder, "outer.yaml")
}

const inner = `${user.replace("required: [id]", "required: [id, name]")}
stages: [{ id: who, uses: whoami }]
outputs: { who: "\${{ stages.who.output }}" }
`

const outer = (declared: string) => `${declared}
use: { plugins: ["@planloom/stages"] }
stages: [{ id: nested, uses: workflow, with: { path: inner.yaml } }]
outputs: { who: "\${{ stages.nested.output.who }}" }
`

const checked = (declared: string) =>
  check(write({ "outer.yaml": outer(declared), "inner.yaml": inner }), {
    plugins: { "@planloom/stages": async () => stages },
    extraPlugins: [plugin({ stages: [whoami] })],
  })

describe("the user of a nested workflow", () => {
  it.effect("is that of the run", () =>
    Effect.gen(function* () {
      const { workflow } = yield* checked(user)
      const ann = { id: "u_1", name: "Ann" }
      const { result } = yield* collect(workflow!.pipeline, {}, { user: ann })
      assert.deepStrictEqual(result.outputs, { who: ann })
    }),
  )

  it.effect("fails the stage when the run's user lacks a field that the outer schema allows", () =>
    Effect.gen(function* () {
      const { workflow } = yield* checked(user)
      const { result } = yield* collect(workflow!.pipeline, {}, { user: { id: "u_1" } })
      assert.strictEqual(result.failure?.class, "invalid_request")
      assert.include(result.failure?.message, 'the user of "inner" does not fit')
    }),
  )

  it.effect("is a diagnostic when the outer workflow declares none", () =>
    Effect.gen(function* () {
      const { diagnostics } = yield* checked("")
      assert.deepStrictEqual(
        diagnostics.map(({ code, message }) => [code, message]),
        [["PL4027", '"inner.yaml" declares a user, and this workflow declares none']],
      )
    }),
  )

  it.effect("is a diagnostic when a field is missing or has another type", () =>
    Effect.gen(function* () {
      const missing = yield* checked(user.replace(/ {4}name.*\n/, ""))
      assert.deepStrictEqual(
        missing.diagnostics.map(({ code, message }) => [code, message]),
        [
          [
            "PL4027",
            'the user of "inner.yaml" needs "name", which the user of this workflow lacks',
          ],
        ],
      )
      const other = yield* checked(
        user.replace("name: { type: string }", "name: { type: integer }"),
      )
      assert.deepStrictEqual(
        other.diagnostics.map(({ code, message }) => [code, message]),
        [["PL4027", '"name" of the user of "inner.yaml" is text, and here it is a whole number']],
      )
    }),
  )
})
