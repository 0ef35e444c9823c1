/** Entities of tool results, from turn to turn. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { stageKind, type Json, type JsonObject, type Tool } from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import type { RunOptions } from "../RunOptions.ts"
import { RunCalls } from "../journal/RunCalls.ts"
import { memorySessions } from "./memorySessions.ts"

/** Calls the tool `find` with each of the params. */
const finding = stageKind<{ readonly each: ReadonlyArray<JsonObject> }>({
  id: "finding",
  summary: "Calls a tool.",
  input: { type: "object", properties: { each: { type: "array" } } },
  output: true,
  run: ({ each }, { callTool }) =>
    Effect.forEach(each, (params, index) => callTool({ tool: "find", params, key: String(index) })),
})

const byId = "result.people.map(p, {'id': p.id, 'name': p.name})"

/** Says turns in a session; each names the people whom a call of the tool finds. */
const conversation = (
  entities: NonNullable<Tool["entities"]> = { person: byId },
  session = "entities: 3",
) =>
  Effect.map(
    workflowOf(
      `
inputs: { each: { type: array, default: [] } }
stages:
  - { id: before, uses: echo, with: { value: "\${{ session.entities }}" } }
  - { id: work, uses: finding, with: { each: "\${{ inputs.each }}" } }
session: { request: a, assistant: b, ${session} }
outputs: { before: { value: "\${{ stages.before.output }}" } }
`,
      {
        stages: [finding],
        tools: [
          {
            id: "tools",
            summary: "Tools.",
            list: Effect.succeed({
              tools: [
                {
                  name: "find",
                  summary: "Finds people.",
                  capabilities: [],
                  inputs: {},
                  params: true,
                  outputs: [],
                  effect: "read",
                  entities,
                },
              ],
            }),
            call: ({ params }) => Effect.succeed({ value: params }),
          },
        ],
      },
    ),
    ({ pipeline }) => {
      const sessions = memorySessions()
      return (each: Json = [], options: RunOptions = {}) =>
        Effect.map(
          collect(pipeline, { each }, { session: "s", sessions, ...options }),
          ({ events, result }) => ({
            before: result.outputs["before"],
            events,
            kept: sessions.load("s"),
          }),
        )
    },
  )

const found = (...people: ReadonlyArray<readonly [id: string, name: string]>) => ({
  people: people.map(([id, name]) => ({ id, name })),
})

describe("the entities of a session", () => {
  it.effect("are those of tool results, the last seen first, each once, up to the bound", () =>
    Effect.gen(function* () {
      const say = yield* conversation()
      assert.deepStrictEqual((yield* say([found(["1", "Ana"], ["2", "Bea"])])).before, [])
      const { before } = yield* say([found(["3", "Cleo"]), found(["1", "Ana Ruiz"])])
      assert.deepStrictEqual(before, [
        { type: "person", id: "1", name: "Ana", turn: 1 },
        { type: "person", id: "2", name: "Bea", turn: 1 },
      ])
      yield* say([found(["4", "Dora"])])
      assert.deepStrictEqual((yield* say()).before, [
        { type: "person", id: "4", name: "Dora", turn: 3 },
        { type: "person", id: "1", name: "Ana Ruiz", turn: 2 },
        { type: "person", id: "3", name: "Cleo", turn: 2 },
      ])
    }),
  )

  it.effect("stay until others take their place", () =>
    Effect.gen(function* () {
      const say = yield* conversation()
      yield* say([found(["1", "Ana"])])
      yield* say()
      assert.deepStrictEqual((yield* say()).before, [
        { type: "person", id: "1", name: "Ana", turn: 1 },
      ])
    }),
  )

  it.effect("are not kept by a workflow that names no bound", () =>
    Effect.gen(function* () {
      const say = yield* conversation({ person: byId }, "window: 2")
      yield* say([found(["1", "Ana"])])
      const { before, kept } = yield* say()
      assert.deepStrictEqual(before, [])
      assert.isUndefined((yield* kept)?.entities)
    }),
  )

  it.effect(
    "have their id as name where the tool gives ids, and are in the event of the call",
    () =>
      Effect.gen(function* () {
        const say = yield* conversation({
          person: "result.people.map(p, p.id)",
          page: "7",
          none: "null",
        })
        const { events } = yield* say([found(["1", "Ana"])])
        const [called] = events.filter((event) => event.type === "ToolCalled")
        assert.deepStrictEqual(called?.entities, [
          { type: "person", id: "1", name: "1" },
          { type: "page", id: "7", name: "7" },
        ])
      }),
  )

  it.effect("of an expression that fails or gives no id are left out with a note", () =>
    Effect.gen(function* () {
      const say = yield* conversation({ person: "result.missing", thing: "true", page: "'7'" })
      const { events } = yield* say([found()])
      assert.deepStrictEqual(
        events.flatMap((event) =>
          event.type === "Noted" ? [(event.data as JsonObject)["expression"]] : [],
        ),
        ["entities.person", "entities.thing"],
      )
      assert.deepStrictEqual((yield* say()).before, [{ type: "page", id: "7", name: "7", turn: 1 }])
    }),
  )

  it.effect("hold no secret", () =>
    Effect.gen(function* () {
      const say = yield* conversation()
      yield* say([found(["1", "s3cr3t-value"])], { secrets: ["s3cr3t-value"] })
      assert.notInclude(JSON.stringify((yield* say()).before), "s3cr3t-value")
    }),
  )

  it("of a run that is resumed are those of the calls that it made before", () => {
    const calls = new RunCalls()
    const entities = [{ type: "person", id: "1", name: "Ana" }]
    const stage = { run: "r", seq: 1, at: 0, path: "work", stage: "work" }
    calls.resume([
      {
        ...stage,
        type: "ToolCalled",
        tool: "find",
        key: "0",
        params: {},
        summary: "",
        ms: 0,
        entities,
      },
    ])
    assert.deepStrictEqual(calls.all[0]?.entities, entities)
  })
})
