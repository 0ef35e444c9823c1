/** Runs of a user in the store: what is written of the user, and who can resume the run. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  definePlugin,
  stageKind,
  StageFailed,
  userDigest,
  type Json,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { InputsRejected, run } from "@planloom/core"
import { answer, resume } from "@planloom/record"
import { replay } from "@planloom/record/replay"
import { newFile, newFolder, storeAt } from "./store.ts"

const text = `apiVersion: planloom/v1
kind: Workflow
name: letters
user:
  type: object
  required: [id, email]
  properties: { id: { type: string }, email: { type: string }, plan: { enum: [starter, unlimited] } }
inputs: { note: { type: string }, plan: { enum: [starter, unlimited], default: starter } }
stages:
  - { id: letter, uses: write, with: { to: "\${{ user.email }}", note: "\${{ inputs.note }}" } }
  - { id: sent, uses: send, with: { to: "\${{ user.email }}" } }
  - { id: sign_off, uses: ask, with: { message: "Send it to \${{ user.email }}?" } }
outputs:
  letter: "\${{ stages.letter.output }}"
  note: "\${{ inputs.note }}"
  plan: "\${{ inputs.plan }}"
`

const anything = { type: "object", additionalProperties: true }

const plugin = definePlugin({
  id: "test",
  summary: "Letters.",
  components: {
    stages: [
      stageKind<{ readonly to: string; readonly note: string }>({
        id: "write",
        summary: "Writes.",
        input: anything,
        output: true,
        run: ({ note, to }, context) =>
          context.step("write", Effect.succeed(`dear ${to} (${note})` as Json)),
      }),
      stageKind<{ readonly to: string }>({
        id: "send",
        summary: "Fails to reach a user once, in a step that is recorded.",
        input: anything,
        output: true,
        run: ({ to }, context) =>
          Effect.catch(
            context.step(
              "send",
              Effect.fail(new StageFailed({ class: "unavailable", message: `no way to ${to}` })),
            ),
            ({ message }) => Effect.succeed(message as Json),
          ),
      }),
      stageKind<{ readonly message: string }>({
        id: "ask",
        summary: "Asks.",
        input: anything,
        output: true,
        run: ({ message }, context) =>
          Effect.map(context.ask({ message, schema: { type: "boolean" } }), ({ value }) => value),
      }),
    ],
  },
})

const ann = { id: "user-4711", email: "ann@example.org", plan: "unlimited" }
const bob = { ...ann, id: "user-4712", email: "bob@example.org" }
const inputs = { note: "from ann@example.org", plan: "unlimited" }

/** A run of Ann that waits for an answer, as another process finds it. */
const waiting = Effect.gen(function* () {
  const folder = newFolder()
  writeFileSync(join(folder, "letters.yaml"), text)
  const { pipeline } = yield* load(join(folder, "letters.yaml"), { extraPlugins: [plugin] })
  const path = newFile()
  const { status } = yield* run(pipeline, inputs, { store: storeAt(path), run: "r", user: ann })
  assert.strictEqual(status, "suspended")
  return { pipeline, path, store: storeAt(path) }
})

const bytesOf = (path: string): string =>
  ["", "-wal"].map((suffix) => readFileSync(path + suffix, "latin1")).join("")

const ended = {
  letter: "dear ann@example.org (from ann@example.org)",
  note: "from ann@example.org",
  plan: "unlimited",
}

describe("a recorded run of a user", () => {
  it.live("has no text of the user in the store, before and after its end", () =>
    Effect.gen(function* () {
      const { path, pipeline, store } = yield* waiting
      const before = bytesOf(path)
      assert.include(before, "[user:email]")
      for (const given of [ann.id, ann.email, `"${ann.plan}"}`]) assert.notInclude(before, given)
      yield* answer(pipeline, "r", { value: true }, { store, user: ann })
      const after = bytesOf(path)
      for (const given of [ann.id, ann.email]) assert.notInclude(after, given)
      assert.include(JSON.stringify(yield* store.events("r")), "dear [user:email]")
      assert.strictEqual((yield* store.show("r"))?.userDigest, userDigest(ann))
    }),
  )

  it.live("resumes with the user's texts in its recorded steps and inputs", () =>
    Effect.gen(function* () {
      const { pipeline, store } = yield* waiting
      const result = yield* answer(pipeline, "r", { value: true }, { store, user: ann })
      assert.strictEqual(result?.status, "succeeded", result?.failure?.message)
      assert.deepStrictEqual(result?.outputs, ended)
      const again = yield* replay(pipeline, yield* store.read("r"), { user: ann })
      assert.isTrue(again.same)
      assert.deepStrictEqual(again.result.outputs, ended)
    }),
  )

  it.live("resumes for the same user only", () =>
    Effect.gen(function* () {
      const { pipeline, store } = yield* waiting
      const refused = (user: typeof ann | undefined) =>
        Effect.map(Effect.flip(resume(pipeline, "r", { store, user })), (failure) => {
          assert.instanceOf(failure, InputsRejected)
          assert.strictEqual((failure as InputsRejected).subject, "user")
          return failure.message
        })
      assert.include(yield* refused(undefined), "needs a user")
      assert.include(yield* refused(bob), "of another user")
      assert.strictEqual((yield* store.show("r"))?.epoch, 1)
      const renamed = yield* resume(pipeline, "r", { store, user: { ...ann, email: "a@b.org" } })
      assert.strictEqual(renamed.status, "suspended")
    }),
  )

  it.live("gives its result after its end to the same user only", () =>
    Effect.gen(function* () {
      const { pipeline, store } = yield* waiting
      yield* answer(pipeline, "r", { value: true }, { store, user: ann })
      const options = { store, run: "r" }
      const kept = yield* run(pipeline, inputs, { ...options, user: ann })
      assert.strictEqual(kept.status, "succeeded")
      const failure = yield* Effect.flip(run(pipeline, inputs, { ...options, user: bob }))
      assert.include(failure.message, "of another user")
    }),
  )

  it.live("is listed, with its questions, by the digest of its user", () =>
    Effect.gen(function* () {
      const { store } = yield* waiting
      const found = Effect.fnUntraced(function* (user: typeof ann) {
        const filter = { userDigest: userDigest(user)! }
        return [(yield* store.list(filter)).length, (yield* store.waits(filter)).length]
      })
      assert.deepStrictEqual(yield* found(ann), [1, 1])
      assert.deepStrictEqual(yield* found(bob), [0, 0])
      const copied = { ...(yield* store.read("r")), run: "copy" }
      yield* store.write(copied)
      assert.deepStrictEqual(yield* found(ann), [2, 2])
    }),
  )
})
