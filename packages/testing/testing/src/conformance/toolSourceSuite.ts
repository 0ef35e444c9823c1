/** What every tool source promises. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type FailureClass,
  type Index,
  type Json,
  type JsonObject,
  type ToolInvocation,
  type ToolSource,
} from "@planloom/plugin/effect"
import {
  deepFrozen,
  expectFits,
  expectObjectSchema,
  expectPlainData,
  expectSchema,
  expectSummary,
  failureOf,
} from "./expectations.ts"
import { expectInterruptible } from "./interrupted.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

/** A call whose outcome is known. */
export interface ToolCase {
  readonly name: string
  readonly tool: string
  readonly params: JsonObject
  /** Data for its slots; made anew for each call. */
  readonly inputs?: () => Promise<JsonObject> | JsonObject
  /** The class it must fail with; without, it must succeed. */
  readonly fails?: FailureClass
  readonly check?: (result: Json) => void
}

export interface ToolSourceSuiteOptions {
  readonly workspace: string
  /** Folders that the calls may read. */
  readonly roots?: ReadonlyArray<string>
  /** The user of the calls; the empty one unless given. */
  readonly user?: JsonObject
  /** For a source that searches. */
  readonly index?: Index
  /** Tools whose results differ from call to call by their nature. */
  readonly fickle?: ReadonlyArray<string>
}

const effects: ReadonlySet<string> = new Set(["none", "read", "write"])

const noIndex = Effect.fail(new StageFailed({ class: "unavailable", message: "there is no index" }))

/** Registers the tests of one source. */
export const toolSourceSuite = (
  { describe, it }: SuiteRunner,
  source: ToolSource,
  cases: ReadonlyArray<ToolCase>,
  options: ToolSourceSuiteOptions,
): void => {
  const list = async () => (await Effect.runPromise(source.list)).tools
  const invocation = async (one: ToolCase): Promise<ToolInvocation> => ({
    tool: one.tool,
    params: deepFrozen(structuredClone(one.params) as JsonObject),
    inputs: deepFrozen(structuredClone((await one.inputs?.()) ?? {}) as JsonObject),
    key: `conformance/${one.name}`,
    workspace: options.workspace,
    roots: options.roots ?? [],
    index: (documents) => options.index?.build(documents) ?? noIndex,
    user: options.user ?? {},
    variant: () => undefined,
    askNow: () => Effect.succeed({ value: null, by: "declined", at: 0 }),
    note: () => Effect.void,
    progress: () => Effect.void,
  })
  const call = async (one: ToolCase) => Effect.runPromise(source.call(await invocation(one)))

  describe(`tool source ${source.id}`, () => {
    it("lists tools that a planner and a checker can read", async () => {
      const tools = await list()
      assert.ok(tools.length > 0)
      assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length, "names repeat")
      expectPlainData(tools, "the list")
      for (const tool of tools) {
        expectSummary(tool.summary, `tool ${tool.name}`)
        expectObjectSchema(tool.params, `the params of ${tool.name}`)
        expectSchema(tool.params, `the params of ${tool.name}`)
        if (tool.result !== undefined) expectSchema(tool.result, `the result of ${tool.name}`)
        if (tool.approval_fields !== undefined) {
          expectSchema(tool.approval_fields, `the approval_fields of ${tool.name}`)
          assert.ok(source.preview, `the source has no preview for ${tool.name}`)
        }
        assert.ok(
          tool.effect === undefined || effects.has(tool.effect),
          `the effect of ${tool.name} is ${String(tool.effect)}`,
        )
      }
    })

    it("lists the same when it is asked again", async () => {
      assert.deepStrictEqual(await list(), await list())
    })

    if (source.known !== undefined) {
      const { known } = source
      it("knows its list as plain data, with times that a checker can read", async () => {
        const remembered = await Effect.runPromise(known)
        expectPlainData(remembered, "the known list")
        const { expires = Infinity, open = [], synchronized = 0, tools } = remembered
        assert.ok(Array.isArray(tools), "the known list has no tools")
        assert.ok(synchronized <= expires, "the list holds no longer than until it was read")
        for (const name of open) assert.match(name, /^[^*]+\*?$/, "an open name")
      })
    }

    it("refuses a tool it does not have", async () => {
      for (const tool of ["no_such_tool", "toString", "__proto__"]) {
        const failure = await failureOf(
          source.call(await invocation({ name: tool, tool, params: {} })),
          tool,
        )
        assert.equal(failure._tag, "ToolFailed")
      }
    })

    for (const one of cases) {
      if (one.fails === undefined) {
        it(`${one.tool}: ${one.name}`, async () => {
          const tool = (await list()).find(({ name }) => name === one.tool)
          assert.ok(tool, `the source has no tool "${one.tool}"`)
          expectFits(one.params, tool.params, "what the case gives")
          if (tool.approval_fields !== undefined) {
            const preview = async () => Effect.runPromise(source.preview!(await invocation(one)))
            const fields = await preview()
            expectPlainData(fields, "the preview")
            expectFits(fields, tool.approval_fields, "the preview")
            assert.deepStrictEqual(await preview(), fields, "the same preview gave other fields")
          }
          const result = await call(one)
          expectPlainData(result, "the result")
          assert.notEqual(result.isError, true, "the result is an error")
          if (tool.result !== undefined) expectFits(result.value, tool.result, "the result")
          one.check?.(result.value)
          if (options.fickle?.includes(one.tool) === true) return
          assert.deepStrictEqual(await call(one), result, "the same call gave another result")
        })
      } else {
        it(`${one.tool}: ${one.name}`, async () => {
          const failure = await failureOf(source.call(await invocation(one)), "the call")
          assert.equal(failure._tag, "ToolFailed")
          assert.equal(failure.class, one.fails)
          expectSummary(failure.message.split("\n")[0]!, "the failure")
        })
      }
      it(`${one.tool}: ${one.name}: stops at once when interrupted`, async () => {
        const underWay = source.call(await invocation(one))
        await expectInterruptible(
          Effect.andThen(Effect.exit(underWay), Effect.never),
          someTurns(),
          `a call of ${one.tool}`,
        )
      })
    }
  })
}

/** Long enough for a call to be under way, not long enough for real work to be done. */
const someTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}
