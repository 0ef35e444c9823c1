/** Random hooks of a prompt: they run in the order that is printed, and their patches give the prompt again. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, beforeAll, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import {
  hook,
  type AnyHook,
  type Ask,
  type HookUse,
  type PointId,
  type RunEvent,
  type Section,
  type ToolOffer,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { assemblePrompt, replayedHooks } from "@planloom/prompt"
import { cases } from "../../../../../.config/cases.ts"
import { echo, plugin } from "../../test/inline.ts"
import { hookOrder } from "../pipeline/hookOrder.ts"
import type { Node } from "../pipeline/Pipeline.ts"
import { stageHooks } from "../pipeline/compile/compileHooks.ts"
import { CallHooks, hooksModule } from "./CallHooks.ts"

/** As a workflow with hooks does. */
beforeAll(() => Effect.runPromise(hooksModule()))

const points = ["pre_assembly", "section_build", "tools_build", "post_assembly"] as const
const sections = ["persona", "rules", "extra"]

/** What a hook does with a draft; some of it is wrong. */
const acts = [
  "adds",
  "drops",
  "turns",
  "replaces",
  "nothing",
  "throws",
  "malformed",
  "foreign",
] as const

interface Draft {
  readonly id?: string
  readonly mode: string
  readonly text: string
  readonly sections: ReadonlyArray<string> | ReadonlyArray<Section>
  readonly offers: ReadonlyArray<ToolOffer>
}

const changed = (point: PointId, draft: Draft, act: (typeof acts)[number], id: string): unknown => {
  if (act === "nothing") return undefined
  if (act === "throws") throw new Error(id)
  if (act === "malformed") return { text: 1, sections: 1, offers: 1 }
  if (act === "foreign") return { id: "x" }
  const list = <A>(all: ReadonlyArray<A>, more: ReadonlyArray<A>): ReadonlyArray<A> =>
    act === "adds"
      ? [...all, ...more]
      : act === "drops"
        ? all.slice(1)
        : act === "turns"
          ? all.toReversed()
          : more
  switch (point) {
    case "pre_assembly":
      return act === "turns"
        ? { mode: draft.mode === "full" ? "brief" : "full" }
        : { sections: list(draft.sections as ReadonlyArray<string>, ["extra"]), vars: { id } }
    case "section_build":
      return { text: act === "drops" ? "" : act === "adds" ? `${draft.text} ${id}` : id }
    case "tools_build":
      return {
        offers: list(draft.offers, [{ tool: "look", form: act === "adds" ? "index" : "schema" }]),
      }
    default:
      return {
        sections: list(draft.sections as ReadonlyArray<Section>, [
          { id, text: `~/${id}`, source: id, stable: false, tokens: 1 },
        ]),
      }
  }
}

const phases = ["early", "normal", "late"] as const
const ids = ["a", "b", "c", "d", "e", "f"]

const use = fc.record(
  {
    id: fc.constantFrom(...ids),
    point: fc.constantFrom(...points),
    act: fc.constantFrom(...acts),
    phase: fc.constantFrom(...phases),
    priority: fc.integer({ min: 98, max: 102 }),
    // Towards later ids alone, so that no two wait for each other.
    isBeforeNext: fc.boolean(),
    section: fc.constantFrom(...sections),
    isAsync: fc.boolean(),
  },
  { requiredKeys: ["id", "point", "act"] },
)

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

type Use = typeof use extends fc.Arbitrary<infer A> ? A : never

/** Ids that come later in the alphabet, without those of hooks whose phase is earlier: they could not wait. */
const laterThan = ({ id, phase = "normal" }: Use, all: ReadonlyArray<Use>): ReadonlyArray<string> =>
  ids
    .slice(ids.indexOf(id) + 1)
    .filter((later) =>
      all.every(
        (one) => one.id !== later || phases.indexOf(one.phase ?? "normal") >= phases.indexOf(phase),
      ),
    )

const folder = mkdtempSync(join(tmpdir(), "planloom-replay-"))
const path = join(folder, "workflow.yaml")
for (const id of sections) writeFileSync(join(folder, `${id}.md`), `The ${id}.\n`)
writeFileSync(
  path,
  `apiVersion: planloom/v1
kind: Workflow
name: test
prompts: { persona: persona.md, rules: rules.md, extra: extra.md }
modes: { full: { sections: [persona, rules] }, brief: { sections: [rules] } }
stages: [{ id: work, uses: echo, with: { value: 1 }, prompt: { use: persona, mode: full } }]
`,
)
const ask: Ask = {
  messages: [{ role: "user", content: "Hello" }],
  tools: ["look", { tool: "find", form: "index" }],
}

it.effect("patches of random hooks give the prompt, and hooks run in the printed order", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { pipeline, resources } = yield* load(path, {
        extraPlugins: [
          plugin({
            stages: [echo],
            tools: [
              {
                id: "tools",
                summary: "Tools.",
                list: Effect.succeed({
                  tools: ["look", "find"].map((name) => ({
                    name,
                    summary: name,
                    capabilities: [],
                    inputs: {},
                    outputs: [],
                    params: { type: "object" },
                  })),
                }),
                call: () => Effect.succeed({ value: null }),
              },
            ],
          }),
        ],
      })
      const node = pipeline.main.nodes[0] as Node
      const assemble = (hooks: Parameters<typeof assemblePrompt>[1]["hooks"]) =>
        Effect.runSync(
          Effect.result(
            assemblePrompt(ask, {
              work: node.work as never,
              scope: { inputs: {} } as never,
              pipeline,
              registry: pipeline.tools,
              pinned: undefined,
              isLoop: false,
              hooks,
              unknownMode: () => undefined,
            }),
          ),
        )
      fc.assert(
        fc.property(fc.array(use, { maxLength: 12 }), (written) => {
          const ran: Array<{ readonly point: PointId; readonly id: string; readonly of: string }> =
            []
          const uses = written.map((one): HookUse => {
            const { act, id, isAsync, isBeforeNext, phase, point, priority, section } = one
            return {
              use: hook({
                id,
                summary: id,
                point,
                kind: "transform",
                run: (draft: Draft) => {
                  ran.push({ point, id, of: draft.id ?? "" })
                  const make = () => changed(point, draft, act, id)
                  return isAsync ? Effect.sync(make) : make()
                },
              } as never) as AnyHook,
              ...(phase && { phase }),
              ...(priority && { priority }),
              ...(isBeforeNext && { before: laterThan(one, written) }),
              ...(section && point === "section_build" && { only: { section: [section] } }),
            }
          })
          const plan = stageHooks(
            {
              ...resources,
              pluginSections: [
                { on: "workflow", key: "hooks", path: [], value: [], bound: { hooks: uses } },
              ],
            },
            ["stages", 0],
            "work",
          )
          const events: Array<RunEvent> = []
          const site = {
            surroundings: { path: "work", stage: "work" },
            scope: { inputs: {} },
            clock: () => 0,
            emit: (event: RunEvent) => events.push(event),
            keep: () => Effect.never,
          }
          const runner = plan && new CallHooks(plan, site as never).promptRunner("work/model:1")
          const made = assemble(runner)
          // A hook may drop a section, but no other failure is possible.
          if (made._tag === "Failure") throw made.failure
          const replayed = assemble(replayedHooks(JSON.parse(JSON.stringify(events))))
          assert.deepStrictEqual(plain(replayed), plain(made))

          const printed = hookOrder({
            ...pipeline,
            main: { ...pipeline.main, nodes: [{ ...node, hooks: plan }] },
          })
          for (const { hooks: order, point } of printed) {
            for (const of of new Set(ran.flatMap((one) => (one.point === point ? [one.of] : [])))) {
              const called = ran.filter((one) => one.point === point && one.of === of)
              const expected = order.flatMap(({ id, only }) =>
                only?.of?.includes(of) === false ? [] : [id],
              )
              // A prompt may have a section twice.
              const times = called.length / expected.length
              assert.strictEqual(
                called.map(({ id }) => id).join(),
                Array.from({ length: times }, () => expected.join()).join(),
                `${point} ${of}`,
              )
            }
          }
        }),
        { numRuns: cases(300, 3.4) },
      )
    }),
  ),
)
