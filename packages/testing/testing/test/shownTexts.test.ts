/** What a model writes reaches a user only through the gate: fields, questions, failures, reasoning, approvals. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { REVIEWS, ReviewQueue } from "@planloom/shadow/queue"
import { openStore } from "@planloom/store-sqlite"
import * as Effect from "effect/Effect"
import { BLOCKED, ran, type Course } from "./shown/world.ts"

const head = `models: { m: { try: [scripted/any] } }
defaults: { model: m }
inputs: { said: { type: string } }
`
const gate = "shadow: { gate: [pii, word] }\n"
const email = "ann.miller@gmail.com"

const json = (task: string, schema = "{ type: object, properties: { text: { type: string } } }") =>
  `{ id: ${task}, uses: generate, repair: false, with: { task: "task ${task}", schema: ${schema} } }`

/** What users, and those who are told of a failure, may have got. */
const shown = ({ failure, outputs, parts, session, userEvents, waits }: Course): string =>
  JSON.stringify({ failure, outputs, parts, session, userEvents, waits })

describe("the sentence of a reflection", () => {
  const body = `${head}${gate}stages:
  - id: r
    uses: reflect
    with:
      request: What is it?
      plan: { steps: [] }
      results: { steps: {}, calls: [] }
      rules: [{ id: more, when: "true", reason: more is wanted }]
      queries: note
outputs: { said: "\${{ stages.r.output.message }}" }
`
  const thoughtAt = (message: string) =>
    Effect.map(
      ran(body, {
        "": [
          {
            text: JSON.stringify({
              strategy: "extend",
              user_message: message,
              new_queries: [{ text: "flint" }],
            }),
          },
        ],
      }),
      (course) => ({
        course,
        text: course.userEvents.flatMap((event) =>
          event.type === "Noted" && event.note === "thinking" ? [event.text] : [],
        ),
      }),
    )

  it.effect("reaches the user if it passes the gate, and is reviewed by it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* thoughtAt("I am looking again.")).text, [
        "I am looking again.",
      ])
    }),
  )

  it.effect("gives way to the workflow's own words if the gate blocks it", () =>
    Effect.gen(function* () {
      const { course, text } = yield* thoughtAt(`I am looking for a ${BLOCKED} thing.`)
      assert.deepStrictEqual(text, ["I am looking further into what I found."])
      assert.notInclude(shown(course), BLOCKED)
    }),
  )
})

describe("a field of a JSON reply", () => {
  const body = `${head}${gate}stages:
  - ${json("r")}
  - { id: made, uses: set, with: { value: { note: "\${{ stages.r.output.value.text }}" } } }
  - { id: tell, uses: emit, with: { name: told, data: "\${{ stages.made.output }}", message: "Now: \${{ stages.made.output.note }}" } }
outputs:
  whole: "\${{ stages.r.output.value }}"
  line: { type: string, early: true, value: "It says \${{ stages.made.output.note }}" }
`

  it.effect(
    "is reviewed in outputs, in events for the user, and in texts that are made of it",
    () =>
      Effect.gen(function* () {
        const course = yield* ran(body, { r: [{ text: `{"text":"Mail ${email}."}` }] })
        assert.deepStrictEqual(course.outputs, {
          whole: { text: "Mail [email]." },
          line: "It says Mail [email].",
        })
        assert.notInclude(shown(course), email)
        const told = course.userEvents.find((event) => event.type === "Noted")
        assert.deepInclude(told, { data: { note: "Mail [email]." }, text: "Now: Mail [email]." })
        // Stages and operators have the value as it was written.
        assert.include(JSON.stringify(course.events), email)
      }),
  )

  it.effect("that is blocked is the text `escalate` in its place", () =>
    Effect.gen(function* () {
      const course = yield* ran(body, { r: [{ text: `{"text":"A ${BLOCKED}."}` }] })
      assert.notInclude(shown(course), BLOCKED)
      assert.deepStrictEqual(Object.keys(course.outputs["whole"] as object), ["text"])
      assert.strictEqual(course.status, "succeeded")
    }),
  )

  it.effect("leaves unchanged when nothing in it is found", () =>
    Effect.gen(function* () {
      const course = yield* ran(body, { r: [{ text: `{"text":"All is fine."}` }] })
      assert.deepStrictEqual(course.outputs, {
        whole: { text: "All is fine." },
        line: "It says All is fine.",
      })
    }),
  )

  it.effect("and the name of a member that a model chose are reviewed alike", () =>
    Effect.gen(function* () {
      const free = `${head}${gate}stages:
  - ${json("r", "{ type: object, additionalProperties: { type: string } }")}
outputs: { all: "\${{ stages.r.output.value }}" }
`
      const course = yield* ran(free, {
        r: [{ text: `{"${email}":"a","${BLOCKED}":"b","c":"d"}` }],
      })
      assert.deepStrictEqual(course.outputs, { all: { "[email]": "a", c: "d" } })
    }),
  )

  it.effect("withholds an output whose schema takes no other text", () =>
    Effect.gen(function* () {
      const strict = `${head}${gate}stages:
  - ${json("r")}
outputs: { code: { type: string, pattern: "^zyx", value: "\${{ stages.r.output.value.text }}" } }
`
      const course = yield* ran(strict, { r: [{ text: `{"text":"${BLOCKED}"}` }] })
      assert.strictEqual(course.status, "failed")
      assert.include(JSON.stringify(course.failure), '"class":"blocked"')
      assert.notInclude(shown(course), BLOCKED)
    }),
  )
})

describe("what no model can have written", () => {
  it.effect("is not reviewed: inputs, numbers, values of an enum, and names of properties", () =>
    Effect.gen(function* () {
      const schema =
        "{ type: object, properties: { n: { type: integer }, kind: { enum: [good, bad] }, text: { type: string } } }"
      const body = `${head}${gate}stages:
  - ${json("r", schema)}
  - { id: told, uses: emit, with: { name: told, data: { said: "\${{ inputs.said }}" } } }
outputs:
  own: "\${{ inputs.said }}"
  rest: { value: { n: "\${{ stages.r.output.value.n }}", kind: "\${{ stages.r.output.value.kind }}" } }
`
      const reply = [{ text: '{"n":7,"kind":"good","text":"unused"}' }]
      const course = yield* ran(body, { r: reply }, { said: `mine is ${email}` })
      assert.deepStrictEqual(course.outputs, {
        own: `mine is ${email}`,
        rest: { n: 7, kind: "good" },
      })
      assert.include(JSON.stringify(course.userEvents), `{"said":"mine is ${email}"}`)
      assert.deepStrictEqual(
        course.events.filter(({ type }) => type === "Reviewed"),
        [],
      )
    }),
  )
})

describe("a stage with `confidence`", () => {
  const body = `${head}${gate}stages:
  - { id: r, uses: generate, with: { task: "task r", confidence: { threshold: 0.7 } } }
outputs: { reply: "\${{ stages.r.output.text }}" }
`

  it.effect("has its text reviewed", () =>
    Effect.gen(function* () {
      const course = yield* ran(body, { r: [{ text: `{"text":"mail ${email}","confidence":1}` }] })
      assert.deepStrictEqual(course.outputs, { reply: "mail [email]" })
    }),
  )

  it.effect("has its question reviewed, put and unanswered", () =>
    Effect.gen(function* () {
      const unsure = { text: `{"text":"?","confidence":0.1,"clarification":"Is it ${email}?"}` }
      const course = yield* ran(body, {
        r: [unsure, { text: '{"text":"Thanks.","confidence":1}' }],
      })
      assert.deepStrictEqual(
        course.waits.map(({ message }) => message),
        ["Is it [email]?"],
      )
      assert.notInclude(shown(course), email)
      assert.deepStrictEqual(course.outputs, { reply: "Thanks." })
    }),
  )

  it.effect("puts no question that is blocked: the stage fails with class `blocked`", () =>
    Effect.gen(function* () {
      const unsure = { text: `{"text":"?","confidence":0.1,"clarification":"${BLOCKED}?"}` }
      const course = yield* ran(body, { r: [unsure] })
      assert.deepStrictEqual(course.waits, [])
      assert.include(JSON.stringify(course.failure), '"class":"blocked"')
      assert.notInclude(shown(course), BLOCKED)
    }),
  )
})

describe("a failure", () => {
  it.effect("quotes nothing of the reply that it is about; operators have it as a note", () =>
    Effect.gen(function* () {
      const body = `${head}${gate}stages:
  - ${json("r", "{ type: object, additionalProperties: false, properties: { n: { type: integer } }, required: [n] }")}
outputs: { n: "\${{ stages.r.output.value.n }}" }
`
      const course = yield* ran(body, { r: [{ text: `{"${BLOCKED}":"x"} and ${email}` }] })
      assert.strictEqual(course.status, "failed")
      assert.notInclude(shown(course), BLOCKED)
      assert.notInclude(shown(course), email)
      const failures = course.events.filter(
        ({ type }) => type === "StageFailed" || type === "RunFailed",
      )
      assert.strictEqual(failures.length, 2)
      assert.notInclude(JSON.stringify(failures), email)
      const kept = course.events.find(
        (event) => event.type === "Noted" && event.note === "unshown_failure",
      )
      assert.include(JSON.stringify(kept), email)
    }),
  )
})

describe("reasoning", () => {
  it.effect("is in no event of a stage with a gate, nor in its record of the reply", () =>
    Effect.gen(function* () {
      const body = `${head}${gate}stages:
  - { id: r, uses: generate, with: { task: "task r" } }
outputs: { reply: { type: string, value: "\${{ stages.r.output.text }}", stream: true } }
`
      for (const isStreamed of [true, false]) {
        const course = yield* ran(
          body,
          {
            r: [
              { reasoning: `the address is ${email}`, text: `<think>${BLOCKED}</think>All fine.` },
            ],
          },
          { isStreamed },
        )
        assert.deepStrictEqual(course.outputs, { reply: "All fine." })
        assert.notInclude(JSON.stringify(course), email)
        assert.notInclude(JSON.stringify(course), BLOCKED)
      }
    }),
  )
})

describe("reasoning of a reply that was replaced", () => {
  it.effect("is in the item of the review queue, redacted, and in nothing else that is kept", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const store = yield* openStore(join(mkdtempSync(join(tmpdir(), "shown-")), "runs.db"))
        const body = `${head}${gate}stages:
  - { id: r, uses: generate, with: { task: "task r" } }
outputs: { reply: "\${{ stages.r.output.text }}" }
`
        const reply = [{ reasoning: `the address is ${email}`, text: `Write to ${email}.` }]
        yield* ran(body, { r: reply }, { store, run: "r" })
        const items = yield* new ReviewQueue(store.collection!(REVIEWS)).list("open")
        assert.deepStrictEqual(
          items.map(({ item }) => item.reasoning),
          ["the address is [email]"],
        )
        const kept = JSON.stringify([yield* store.events("r"), yield* store.steps("r")])
        assert.notInclude(kept, "the address is")
      }),
    ),
  )
})

describe("an approval of a call", () => {
  it.effect(
    "shows the arguments after the gate, and the call is made with those of the model",
    () =>
      Effect.gen(function* () {
        const body = `${head}${gate}stages:
  - { id: r, uses: agent, with: { task: "task r", tools: [note], approve: [note] } }
outputs: { reply: "\${{ stages.r.output.text }}" }
`
        const course = yield* ran(body, {
          r: [{ text: "", calls: [{ text: `write to ${email}` }] }, { text: "Done." }],
        })
        assert.strictEqual(course.waits.length, 1)
        assert.notInclude(JSON.stringify(course.waits), email)
        assert.deepStrictEqual(course.made, [{ text: `write to ${email}` }])
        assert.notInclude(shown(course), email)
      }),
  )

  it.effect("is not asked for when its arguments are blocked, and nothing is called", () =>
    Effect.gen(function* () {
      const body = `${head}${gate}stages:
  - { id: r, uses: agent, with: { task: "task r", tools: [note], approve: [note] } }
outputs: { reply: "\${{ stages.r.output.text }}" }
`
      const course = yield* ran(body, {
        r: [{ text: "", calls: [{ text: BLOCKED }] }, { text: "Done." }],
      })
      assert.deepStrictEqual(course.waits, [])
      assert.deepStrictEqual(course.made, [])
      assert.notInclude(shown(course), BLOCKED)
    }),
  )
})

describe("a failure of a stage that only reads what a model wrote", () => {
  const read = (stage: string, more = "") =>
    `${head}${gate}${more}stages:\n  - ${json("r")}\n  - ${stage}\n`
  const text = "stages.r.output.value.text"
  const key = `{'a': true}[${text}]`
  const set = "uses: set, with: { value: 1 }"
  const bodies = {
    "in its condition": read(`{ id: s, ${set}, if: "${key}" }`),
    "in an assertion": read(`{ id: s, ${set}, assert: [{ that: "${key}" }] }`),
    "in the message of an assertion": read(
      `{ id: s, ${set}, assert: [{ that: "1 == 2", message: "It is \${{ ${text} }}" }] }`,
    ),
    "in its list": read(`{ id: s, ${set}, for_each: { in: "{'a': [1]}[${text}]", as: one } }`),
    "in the value of a switch": read(
      `{ id: s, uses: switch, with: { on: "${text}", cases: { a: { ${set} } } } }`,
    ),
    "in the end of a loop": read(
      `{ id: s, repeat: { carry: { n: 1 }, next: { n: 1 }, until: "${key}", max_iterations: 2 }, stages: [{ id: i, ${set} }] }`,
    ),
    "in what a session keeps": read(
      `{ id: s, ${set} }`,
      `session: { request: hello, assistant: "\${{ {'a': 'b'}[${text}] }}" }\n`,
    ),
    "in a state of a session": read(
      `{ id: s, ${set} }`,
      `session: { request: hello, assistant: hi, state: { s: { default: null, value: "\${{ ${key} }}" } } }\n`,
    ),
  }
  for (const [where, body] of Object.entries(bodies)) {
    it.effect(`quotes nothing of it: ${where}`, () =>
      Effect.gen(function* () {
        const course = yield* ran(body, { r: [{ text: `{"text":"${BLOCKED}"}` }] })
        assert.strictEqual(course.status, "failed")
        assert.notInclude(shown(course), BLOCKED)
        assert.notInclude(JSON.stringify(course.spans), BLOCKED)
      }),
    )
  }
})

describe("a question", () => {
  const ask = (more: string) => `${head}${gate}stages:
  - ${json("r")}
  - { id: s, uses: wait, with: { signal: go, ${more} } }
outputs: { answer: "\${{ stages.s.output }}" }
`
  const given = '"${{ stages.r.output.value.text }}"'

  it.effect(
    "is not put when the gate blocks its default, or changes the schema of its answer",
    () =>
      Effect.gen(function* () {
        for (const [more, text] of [
          [`default: ${given}`, BLOCKED],
          [`schema: { enum: [${given}, ok] }`, email],
          [`schema: { type: string, title: ${given} }`, BLOCKED],
          [`schema: { type: object, properties: { type: { $comment: ${given} } } }`, BLOCKED],
        ] as const) {
          const course = yield* ran(ask(more), { r: [{ text: `{"text":"${text}"}` }] })
          assert.deepStrictEqual(course.waits, [])
          assert.include(JSON.stringify(course.failure), '"class":"blocked"')
          assert.notInclude(shown(course), text)
        }
      }),
  )

  it.effect(
    "keeps the schema that its author wrote, and answers that a model chose and a gate passes",
    () =>
      Effect.gen(function* () {
        const author = `message: ${given}, schema: { type: string, description: "as in ${email}" }`
        const choice = `schema: { enum: [${given}, ok] }`
        for (const more of [author, choice]) {
          const course = yield* ran(ask(more), { r: [{ text: '{"text":"fine"}' }] })
          assert.deepStrictEqual(course.outputs, { answer: "ok" })
          assert.strictEqual(course.waits.length, 1)
        }
      }),
  )
})

describe("a workflow with a gate that one without runs", () => {
  it.effect("has its values reviewed by its own gate when the outer one shows them", () =>
    Effect.gen(function* () {
      const inner = `apiVersion: planloom/v1\nkind: Workflow\nname: inner\n${head}${gate}stages:
  - ${json("r")}
outputs: { text: "\${{ stages.r.output.value.text }}" }
`
      const body = `${head}stages:
  - { id: one, uses: workflow, with: { path: inner.yaml, inputs: { said: "\${{ inputs.said }}" } } }
outputs: { all: "\${{ stages.one.output }}" }
`
      const course = yield* ran(
        body,
        { r: [{ text: `{"text":"Mail ${email}."}` }] },
        { files: { "inner.yaml": inner } },
      )
      assert.deepStrictEqual(course.outputs, { all: { text: "Mail [email]." } })
      assert.notInclude(shown(course), email)
    }),
  )
})

describe("the notes of a tool", () => {
  it.effect("pass the gate, because they stand beside the outputs", () =>
    Effect.gen(function* () {
      const course = yield* ran(
        `${head}${gate}use: { files: [catalog.yaml] }
stages:
  - { id: r, uses: agent, with: { task: "task r", tools: [note] } }
outputs: { reply: "\${{ stages.r.output.text }}" }
`,
        { r: [{ text: "", calls: [{ text: `write to ${email}` }] }, { text: "Done." }] },
        {
          files: {
            "catalog.yaml": `apiVersion: planloom/v1\nkind: Catalog\ntools:\n  - { name: note, summary: Notes a text., notes: "['Noted: ' + result.noted]" }\n`,
          },
        },
      )
      const called = course.events.find(({ type }) => type === "ToolCalled")
      assert.deepInclude(called, { notes: ["Noted: write to [email]"] })
      assert.deepStrictEqual(course.outputs, { reply: "Done." })
    }),
  )
})

describe("a hook whose condition reads what a model wrote", () => {
  const key = "{'a': true}[stages.r.output.value.text]"
  const set = "uses: set, with: { value: 1 }"

  for (const onError of ["fail", "skip"]) {
    it.effect(`quotes nothing of it when it fails under \`on_error: ${onError}\``, () =>
      Effect.gen(function* () {
        const inStage = `${head}${gate}stages:
  - ${json("r")}
  - { id: s, ${set}, hooks: [{ use: look, when: "${key}", on_error: ${onError} }] }
`
        const inRun = `${head}${gate}hooks: [{ use: leave, when: "${key}", on_error: ${onError} }]
stages: [${json("r")}]
outputs: { said: fine }
`
        for (const body of [inStage, inRun]) {
          const course = yield* ran(body, { r: [{ text: `{"text":"${BLOCKED}"}` }] })
          assert.strictEqual(course.status, onError === "fail" ? "failed" : "succeeded")
          assert.notInclude(shown(course), BLOCKED)
          const hooked = course.events.filter(({ type }) => type === "HookRan")
          assert.strictEqual(hooked.length, 1)
          assert.notInclude(JSON.stringify(hooked), BLOCKED)
        }
      }),
    )
  }
})
