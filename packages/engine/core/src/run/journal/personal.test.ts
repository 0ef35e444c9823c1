/** Personal inputs outside of a run's record: on cassettes and in sessions. */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { stageKind, StageFailed, type Json } from "@planloom/plugin/effect"
import { recordCassette, replayCassette } from "@planloom/testing"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import { emptyRecording, recordingJournal } from "./journals.ts"
import { memorySessions } from "../session/memorySessions.ts"
import { Personal } from "./personal.ts"

const ann = "ann@example.org"
const bob = "bob@example.net"

const greet = stageKind<{ readonly to: string }>({
  id: "greet",
  summary: "Writes a letter in a step, and fails with whom it cannot reach in another.",
  input: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  output: true,
  run: ({ to }, context) =>
    Effect.gen(function* () {
      const letter = yield* context.step("write", Effect.succeed(`dear ${to}` as Json))
      const reached = yield* Effect.result(
        context.step(
          "send",
          Effect.fail(new StageFailed({ class: "unavailable", message: `no way to ${to}` })),
        ),
      )
      return [letter, reached._tag === "Failure" ? reached.failure.message : "sent"]
    }),
})

const body = `
inputs: { email: { type: string, personal: true }, question: { type: string, default: hello } }
session:
  request: "\${{ inputs.question }} from \${{ inputs.email }}"
  assistant: "\${{ string(stages.letter.output[0]) }}"
  state: { last: { type: string, default: "", value: "\${{ inputs.email }}" } }
stages: [{ id: letter, uses: greet, with: { to: "\${{ inputs.email }}" } }]
outputs: { letter: "\${{ stages.letter.output }}" }
`

const textOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n")

describe("a personal input", () => {
  it.live("is not recorded on a cassette, whose answers serve other values too", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(body, { stages: [greet] })
      const folder = join(mkdtempSync(join(tmpdir(), "planloom-")), "tape")
      const cassette = yield* recordCassette(folder, "test")
      const made = yield* collect(pipeline, { email: ann }, { cassette })
      assert.deepStrictEqual(made.result.outputs, { letter: [`dear ${ann}`, `no way to ${ann}`] })
      assert.include(textOf(folder), "dear [personal:email]")
      assert.notInclude(textOf(folder), ann)
      const again = yield* collect(
        pipeline,
        { email: bob },
        { cassette: yield* replayCassette(folder) },
      )
      assert.deepStrictEqual(again.result.outputs, { letter: [`dear ${bob}`, `no way to ${bob}`] })
    }),
  )

  it.effect("is not stored in a session", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(body, { stages: [greet] })
      const sessions = memorySessions()
      const { result } = yield* collect(pipeline, { email: ann }, { session: "s", sessions })
      assert.strictEqual(result.status, "succeeded", result.failure?.message)
      const kept = yield* sessions.load("s")
      assert.deepStrictEqual(kept?.turns, [
        { user: "hello from [personal:email]", assistant: "dear [personal:email]" },
      ])
      assert.deepStrictEqual(kept?.state, { last: "[personal:email]" })
    }),
  )

  it.effect("is restored when a run resumes, in outputs, failures and answers", () =>
    Effect.gen(function* () {
      const recording = emptyRecording()
      const wait = {
        name: "ask",
        kind: "signal",
        path: "ask",
        message: "who?",
        schema: true,
      } as const
      const marked = "ask [personal:email]"
      const failure = { class: "unavailable", message: marked, detail: { to: [marked] } } as const
      recording.steps.set("write", { ok: true, value: marked })
      recording.steps.set("send", { ok: false, tag: "StageFailed", of: "", failure })
      recording.waits.set("ask", { ...wait, message: marked })
      recording.answers.set("ask", { value: marked, by: "person", at: 1 })
      const declared = { email: { type: "string", personal: true } }
      const journal = new Personal(declared, { email: ann }, {}).journal(
        recordingJournal(recording),
      )
      const again = Effect.die("asked again")
      assert.strictEqual(yield* journal.step("write", again), `ask ${ann}`)
      const failed = yield* Effect.flip(journal.step<Json, StageFailed, never>("send", again))
      assert.strictEqual(failed.message, `ask ${ann}`)
      assert.deepStrictEqual(failed.detail, { to: [`ask ${ann}`] })
      const put = yield* journal.wait(wait)
      assert.strictEqual(put.wait.message, `ask ${ann}`)
      assert.strictEqual(put.answer?.value, `ask ${ann}`)
    }),
  )

  it("does not change the class of a failure that contains its text", () => {
    const personal = new Personal(
      { nick: { type: "string", personal: true } },
      { nick: "Tool" },
      {},
    )
    const other = new Personal({ nick: { type: "string", personal: true } }, { nick: "time" }, {})
    const failed = { tag: "ToolFailed", of: "x", failure: { class: "timeout", message: "a time" } }
    assert.deepStrictEqual(personal.hide(failed), failed)
    assert.deepStrictEqual(other.hide(failed), {
      ...failed,
      failure: { class: "timeout", message: "a [personal:nick]" },
    })
  })

  it("has one placeholder in recorded inputs, whatever its value, and names of inputs stay", () => {
    const declared = { nick: { type: "string", personal: true }, note: { type: "string" } }
    for (const nick of ["personal", "nick", "note", "seq", "type"]) {
      const given = { nick, note: `is ${nick}`, type: nick, seq: 1 }
      const kept = { nick: "[personal:nick]", note: "is [personal:nick]", type: "[personal:nick]" }
      const personal = new Personal(declared, given, {})
      assert.deepStrictEqual(personal.inputs(given), { ...kept, seq: 1 })
      assert.deepStrictEqual(
        personal.hide({ type: "RunStarted", seq: 0, at: 1, inputs: given }),
        { type: "RunStarted", seq: 0, at: 1, inputs: { ...kept, seq: 1 } },
        nick,
      )
    }
  })

  it("has a placeholder for each of its texts, which are put back exactly", () => {
    const declared = { who: { type: "object", personal: true } }
    const who = { first: "Ann", last: "Annson", nick: "person" }
    const personal = new Personal(declared, { who }, {})
    const text = "Ann Annson, a person, pays $&"
    const hidden = personal.hide(text)
    assert.notInclude(hidden as string, "Ann")
    assert.deepStrictEqual(personal.reveal({ text: hidden! }), { text })
  })
})

describe("the texts of a user", () => {
  it("are replaced by placeholders that name their path", () => {
    const personal = new Personal({}, {}, { id: "u_17", address: { city: "Kiel" } })
    assert.isFalse(personal.none)
    assert.strictEqual(personal.hide("u_17 of Kiel"), "[user:id] of [user:address.city]")
    assert.deepStrictEqual(personal.reveal({ a: "[user:id]" }), { a: "u_17" })
  })

  it.live("are not on a cassette, whose answers serve another user", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
user: { type: object, required: [id, email], properties: { id: { type: string }, email: { type: string } } }
inputs: { note: { type: string } }
stages: [{ id: letter, uses: greet, with: { to: "\${{ user.email }}" } }]
outputs: { letter: "\${{ stages.letter.output }}" }
`,
        { stages: [greet] },
      )
      const folder = join(mkdtempSync(join(tmpdir(), "planloom-")), "tape")
      const cassette = yield* recordCassette(folder, "test")
      const user = { id: "user-ann", email: ann }
      const made = yield* collect(pipeline, { note: `from ${ann}` }, { cassette, user })
      assert.deepStrictEqual(made.result.outputs, { letter: [`dear ${ann}`, `no way to ${ann}`] })
      assert.include(textOf(folder), "dear [user:email]")
      assert.notInclude(textOf(folder), ann)
      assert.notInclude(textOf(folder), "user-ann")
      const again = yield* collect(
        pipeline,
        { note: `from ${bob}` },
        { cassette: yield* replayCassette(folder), user: { id: "user-bob", email: bob } },
      )
      assert.deepStrictEqual(again.result.outputs, { letter: [`dear ${bob}`, `no way to ${bob}`] })
    }),
  )
})
