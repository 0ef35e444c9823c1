/** Generated workflows: a text that a gate does not pass reaches no user, wherever a model writes it and however it travels. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as fc from "fast-check"
import { openStore } from "@planloom/store-sqlite"
import type { StoreFailed } from "@planloom/plugin/effect"
import { cases } from "../../../../.config/cases.ts"
import { BLOCKED, ran, type Course, type Reply, type Ways } from "./shown/world.ts"

/** Where the model writes the mark: its replies, the stage, and the expression of what the stage gives. */
interface Place {
  readonly replies: (mark: string) => ReadonlyArray<Reply>
  readonly stage: string
  readonly gives: string
}

const generate = (more: string) => `{ id: w, uses: generate, with: { task: "task w"${more} } }`
const valued = `, schema: {
      type: object,
      properties: {
        text: { type: string },
        inner: { type: object, properties: { note: { type: string } } },
        tags: { type: array, items: { type: string } },
        more: { type: object, additionalProperties: { type: string } } } }`
const value = (given: object): ReadonlyArray<Reply> => [{ text: JSON.stringify(given) }]
const agent = (more: string) =>
  `{ id: w, uses: agent, with: { task: "task w", tools: [note]${more} } }`

const places = {
  text: {
    replies: (mark) => [{ text: `It is ${mark} now.` }],
    stage: generate(""),
    gives: "stages.w.output.text",
  },
  field: {
    replies: (mark) => value({ text: `is ${mark}.` }),
    stage: generate(valued),
    gives: "stages.w.output.value.text",
  },
  nested: {
    replies: (mark) => value({ inner: { note: mark } }),
    stage: generate(valued),
    gives: "stages.w.output.value.inner",
  },
  item: {
    replies: (mark) => value({ tags: ["one", `${mark} two`] }),
    stage: generate(valued),
    gives: "stages.w.output.value.tags[1]",
  },
  name: {
    replies: (mark) => value({ more: { [mark]: "x", kept: "y" } }),
    stage: generate(valued),
    gives: "stages.w.output.value.more",
  },
  confident: {
    replies: (mark) => value({ text: `so ${mark}`, confidence: 1 }),
    stage: generate(", confidence: { threshold: 0.5 }"),
    gives: "stages.w.output.text",
  },
  question: {
    replies: (mark) => [
      ...value({ text: "?", confidence: 0.1, clarification: `Is it ${mark}?` }),
      ...value({ text: "Thanks.", confidence: 1 }),
    ],
    stage: generate(", confidence: { threshold: 0.5 }"),
    gives: "stages.w.output.text",
  },
  think: {
    replies: (mark) => [{ text: `<think>${mark}</think>All is well.` }],
    stage: generate(""),
    gives: "stages.w.output.text",
  },
  reasoning: {
    replies: (mark) => [{ reasoning: `the user is ${mark}`, text: "All is well." }],
    stage: generate(""),
    gives: "stages.w.output.text",
  },
  argument: {
    replies: (mark) => [{ text: "", calls: [{ text: mark }] }, { text: "Done." }],
    stage: agent(""),
    gives: "stages.w.output.calls",
  },
  approved: {
    replies: (mark) => [{ text: "", calls: [{ text: `for ${mark}` }] }, { text: "Done." }],
    stage: agent(", approve: [note]"),
    gives: "stages.w.output.text",
  },
  malformed: {
    replies: (mark) => [{ text: `{"text": 7, "${mark}": "${mark}" and so on` }],
    stage: `{ id: w, uses: generate, repair: false, with: { task: "task w", schema: {
      type: object, additionalProperties: false, required: [text], properties: { text: { type: string } } } } }`,
    gives: "stages.w.output.value.text",
  },
} satisfies { readonly [name: string]: Place }

/** How a value gets from the stage that writes it to the place that shows it. */
const ways = {
  direct: (given: string) => ({ stages: "", gives: given }),
  stages: (given: string) => ({
    stages: `
  - { id: one, uses: set, with: { value: { kept: "\${{ ${given} }}" } } }
  - { id: two, uses: set, with: { value: "\${{ stages.one.output.kept }}" } }`,
    gives: "stages.two.output",
  }),
  template: (given: string) => ({
    stages: `
  - { id: one, uses: set, with: { value: { kept: "\${{ ${given} }}" } } }
  - { id: two, uses: set, with: { value: "A line: \${{ stages.one.output }}; its end." } }`,
    gives: "stages.two.output",
  }),
  carry: (given: string) => ({
    stages: `
  - id: rounds
    repeat: { carry: { v: "\${{ ${given} }}" }, until: "iter.index == 1", next: { v: "\${{ iter.v }}" }, max_iterations: 3 }
    stages: [{ id: inside, uses: set, with: { value: "\${{ iter.v }}" } }]`,
    gives: "stages.rounds.output.carry.v",
  }),
  list: (given: string) => ({
    stages: `
  - { id: each, uses: set, for_each: { in: "[${given}]", as: one }, with: { value: { it: "\${{ one }}" } } }`,
    gives: "stages.each.output[0].it",
  }),
  case: (given: string) => ({
    stages: `
  - id: pick
    uses: switch
    with:
      on: inputs.said
      cases: { bye: { uses: set, with: { value: { kept: none } } } }
      else: { uses: set, with: { value: { kept: "\${{ ${given} }}" } } }`,
    gives: "stages.pick.output.value.kept",
  }),
  workflow: (given: string) => ({
    stages: `
  - { id: other, uses: workflow, with: { path: inner.yaml, inputs: { v: "\${{ ${given} }}" } } }`,
    gives: "stages.other.output.v",
  }),
}

const inner = `apiVersion: planloom/v1
kind: Workflow
name: inner
inputs: { v: {} }
stages:
  - { id: made, uses: set, with: { value: "\${{ inputs.v }}" } }
  - { id: told, uses: emit, with: { name: inside, data: "\${{ stages.made.output }}" } }
outputs: { v: "\${{ stages.made.output }}" }
`

const showings = {
  output: (given: string) => ({ stages: "", outputs: `{ shown: "\${{ ${given} }}" }`, more: "" }),
  early: (given: string) => ({
    stages: "",
    outputs: `{ shown: { value: "\${{ ${given} }}", early: true }, line: "Now \${{ ${given} }}" }`,
    more: "",
  }),
  event: (given: string) => ({
    stages: `
  - { id: tell, uses: emit, with: { name: told, data: { v: "\${{ ${given} }}" }, message: "Told \${{ ${given} }}" } }`,
    outputs: "{}",
    more: "",
  }),
  question: (given: string) => ({
    stages: `
  - { id: sure, uses: approve, with: { message: "Is it \${{ ${given} }}?", show: { v: "\${{ ${given} }}" } } }`,
    outputs: "{}",
    more: "",
  }),
  default: (given: string) => ({
    stages: `
  - { id: sure, uses: wait, with: { signal: sure, schema: { enum: ["\${{ ${given} }}", ok] }, expires: 1h, default: "\${{ ${given} }}" } }`,
    outputs: "{}",
    more: "",
  }),
  condition: (given: string) => ({
    stages: `
  - { id: line, uses: set, with: { value: "It is \${{ ${given} }}" } }
  - { id: read, uses: set, if: "{'a': true}[stages.line.output]", with: { value: 1 } }`,
    outputs: "{}",
    more: "",
  }),
  assertion: (given: string) => ({
    stages: `
  - { id: read, uses: set, with: { value: 1 }, assert: [{ that: "1 == 2", message: "It is \${{ ${given} }}" }] }`,
    outputs: "{}",
    more: "",
  }),
  choice: (given: string) => ({
    stages: `
  - { id: line, uses: set, with: { value: "It is \${{ ${given} }}" } }
  - { id: read, uses: switch, with: { on: stages.line.output, cases: { a: { uses: set, with: { value: 1 } } } } }`,
    outputs: "{}",
    more: "",
  }),
  session: (given: string) => ({
    stages: "",
    outputs: "{}",
    more: `session:
  request: "\${{ inputs.said }} of \${{ ${given} }}"
  assistant: "I said \${{ ${given} }}"
  state: { last: { default: null, value: "\${{ ${given} }}" } }
`,
  }),
}

const keysOf = <T extends object>(given: T) =>
  Object.keys(given) as unknown as ReadonlyArray<keyof T & string>

interface Given {
  readonly place: keyof typeof places
  readonly way: keyof typeof ways
  readonly showing: keyof typeof showings
  readonly isBlocked: boolean
  readonly isStored: boolean
  readonly isStreamed: boolean
  /** The stage that fails has a fallback. */
  readonly isSurvived: boolean
}

const one: fc.Arbitrary<Given> = fc.record({
  place: fc.constantFrom(...keysOf(places)),
  way: fc.constantFrom(...keysOf(ways), "stages" as const, "template" as const),
  showing: fc.constantFrom(...keysOf(showings)),
  isBlocked: fc.boolean(),
  isStored: fc.boolean(),
  isStreamed: fc.boolean(),
  isSurvived: fc.boolean(),
})

const bodyOf = ({ isStreamed, isSurvived, place, showing, way }: Given, gate: string): string => {
  const { gives, stage } = places[place]
  const travelled = ways[way](gives)
  const { more, outputs, stages } = showings[showing](travelled.gives)
  const first =
    place === "malformed" && isSurvived
      ? stage.replace(
          / \}$/,
          ', on_error: fallback, fallback: { uses: set, with: { value: { value: { text: "none" } } } } }',
        )
      : stage
  const streams = isStreamed && stage === generate("") && way === "direct"
  const shown = streams
    ? outputs.replace(
        /^\{/,
        '{ written: { type: string, stream: true, value: "${{ stages.w.output.text }}" }, ',
      )
    : outputs
  return `models: { m: { try: [scripted/any] } }
defaults: { model: m }
inputs: { said: { type: string } }
${gate}${more}stages:
  - ${first}${travelled.stages}${stages}
${shown === "{}" ? "" : `outputs: ${shown}\n`}`
}

const gate = "shadow: { gate: [pii, word] }\n"
const files = { "inner.yaml": inner }

/** Everything that a user, a log or a report of the failure may have got. The state of a session is for stages. */
const shown = ({ failure, outputs, parts, session, spans, userEvents, waits }: Course): string =>
  JSON.stringify({ failure, outputs, parts, session, spans, userEvents, waits })

/** Events in which operators have values that no user was shown. */
const ofStages = new Set([
  "AssertionFailed",
  "IterationFinished",
  "LoopEnded",
  "Noted",
  "ReplyRead",
  "StageFinished",
  "ToolCalled",
])

const stored = <A, E>(
  use: (ways: Ways) => Effect.Effect<A, E, Scope>,
  isStored: boolean,
): Effect.Effect<A, E | StoreFailed> =>
  isStored
    ? Effect.scoped(
        Effect.flatMap(
          openStore(join(mkdtempSync(join(tmpdir(), "anywhere-")), "runs.db")),
          (store) => use({ store, run: "r" }),
        ),
      )
    : Effect.scoped(use({}))

const counts = { all: 0, reached: 0, travelled: 0 }

it.effect(
  "nothing that a gate does not pass reaches a user",
  () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(one, async (given) => {
          const { isBlocked, isStored, isStreamed, place, way } = given
          const mark = isBlocked ? BLOCKED : "ann.miller@gmail.com"
          const play = (body: string, text: string) =>
            Effect.runPromise(
              stored(
                (more) =>
                  ran(body, { w: places[place].replies(text) }, { ...more, files, isStreamed }),
                isStored,
              ),
            )
          const marked = await play(bodyOf(given, gate), mark)
          assert.notInclude(shown(marked), mark)
          const failures = marked.events.flatMap((event) =>
            "failure" in event ? [event.failure] : [],
          )
          assert.notInclude(JSON.stringify(failures), mark)
          for (const event of marked.events) {
            if (!ofStages.has(event.type)) assert.notInclude(JSON.stringify(event), mark)
          }
          counts.all++
          const open = await play(bodyOf(given, ""), mark)
          if (shown(open).includes(mark)) {
            counts.reached++
            if (way !== "direct") counts.travelled++
          }
          const fine = await play(bodyOf(given, gate), "a kind word")
          const plain = await play(bodyOf(given, ""), "a kind word")
          assert.deepStrictEqual(fine.outputs, plain.outputs)
          assert.deepStrictEqual(messagesOf(fine), messagesOf(plain))
          assert.deepStrictEqual(notesOf(fine), notesOf(plain))
          assert.deepStrictEqual(textsOf(fine), textsOf(plain))
          assert.strictEqual(fine.status, plain.status)
        }),
        { numRuns: cases(12, 2) },
      ),
    ).pipe(
      Effect.andThen(
        Effect.sync(() => {
          process.stdout.write(
            `${counts.all} workflows: without the gate ${counts.reached} show the text, ${counts.travelled} after a way through other stages\n`,
          )
          assert.isAtLeast(counts.reached / counts.all, 0.4)
          assert.isAtLeast(counts.travelled / counts.all, 1 / 3)
        }),
      ),
    ),
  600_000,
)

const messagesOf = ({ waits }: Course) => waits.map(({ message, show }) => ({ message, show }))

const notesOf = ({ userEvents }: Course) =>
  userEvents.flatMap((event) => (event.type === "Noted" ? [[event.data, event.text]] : []))

const textsOf = ({ session }: Course) =>
  JSON.stringify(session).replaceAll(/"at":\d+|"run":"[^"]*"/g, "")
