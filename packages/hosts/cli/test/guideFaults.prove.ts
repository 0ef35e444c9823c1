/** The conference guide with one fault at each step: the answer is still honest, and nothing is lost or repeated. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { WireAnswer } from "@planloom/testing"
import type { JsonObject } from "@planloom/plugin/effect"
import { lines, planloom, serve, start } from "./planloom.ts"
import { GUIDE, planned, reflected, scriptedGuide, type ScriptedGuide } from "./scriptedGuide.ts"

let guide: ScriptedGuide

beforeAll(async () => {
  guide = await scriptedGuide()
})
afterAll(() => guide[Symbol.asyncDispose]())

const QUESTION = "Find sessions about quantum computing"
const THOUGHT = "Let me try related subjects."

/** Faults of a model server: how often it is asked then, and the class that an operator reads. */
const faults: ReadonlyArray<readonly [answer: WireAnswer, asked: number, said: string]> = [
  [{ fault: "cut" }, 1, "unavailable"],
  [{ text: "" }, 2, "invalid_output"],
  [{ status: 429 }, 3, "rate_limit"],
  [{ text: '{"strategy": "rew' }, 2, "invalid_output"],
  [{ text: "I would look for physics." }, 2, "invalid_output"],
  [
    {
      json: {
        queries: [{ library: "hotels", query: "x" }],
        strategy: "pivot",
        new_queries: [{ library: "hotels", query: "x" }],
      },
    },
    2,
    "invalid_output",
  ],
]

const plan = planned(["sessions", "quantum computing"])
const reflection = reflected("rewrite", THOUGHT, [
  "sessions",
  "physics computing emerging technology quantum",
])
/** The fault in place of each answer of a turn to this step, which is asked for so many times. */
const inPlaceOf = (step: WireAnswer, [answer, asked]: (typeof faults)[number], times: number) =>
  Array.from({ length: asked * times }, () => ({ ...answer, when: step.when! }))

/** A turn for each of the faults. */
const chat = () =>
  planloom(["chat", GUIDE], { ...guide, input: `${QUESTION}\n`.repeat(faults.length) })

describe("a chat after a broken connection, an empty reply, status 429, cut JSON, prose or an unknown library", () => {
  it("in place of a plan searches for the words of the visitor", async () => {
    guide.model.answer(
      ...faults.flatMap((fault) => [...inPlaceOf(plan, fault, 1), reflection]),
      reflection,
    )
    const { code, stderr, stdout } = await chat()
    expect(stdout.match(/^- Physics of emerging technology/gm)).toHaveLength(faults.length)
    expect(stderr.match(new RegExp(THOUGHT, "g"))).toHaveLength(faults.length)
    for (const [, , said] of faults) expect(stderr).toContain(said)
    expect(code).toBe(0)
  })

  it("in place of a reflection relaxes, and asks", async () => {
    guide.model.answer(
      ...faults.flatMap((fault) => [plan, ...inPlaceOf(reflection, fault, 2)]),
      plan,
    )
    const { code, stderr, stdout } = await chat()
    const answer = /^I found nothing on this .* None of them mentions “quantum”\. .*\?$/gm
    expect(stdout.match(answer)).toHaveLength(faults.length)
    expect(stderr).toContain("I am broadening the search.")
    for (const [, , said] of faults) expect(stderr).toContain(said)
    expect(code).toBe(0)
  })
})

describe("Ctrl-C", () => {
  beforeEach(() => planloom(["runs", "prune", "--keep", "0"], guide))

  it.each([
    ["a plan", 1, [{ ...plan, delay: 1 }, reflection]],
    ["a reflection", 2, [plan, { ...reflection, delay: 1 }]],
  ] as const)(
    "during %s of a chat records the end of the turn, and the session continues",
    async (_, count, answers) => {
      guide.model.answer(...answers)
      const before = guide.model.requests.length
      const session = ["--session", `during-${count}`]
      const under = await start(["chat", GUIDE, ...session], guide)
      under.write(`${QUESTION}\n`)
      await guide.model.received(before + count)
      under.kill("SIGINT")
      expect(await under.ended).toBe(130)
      expect(under.stderr()).not.toContain("not recorded")
      const listed = JSON.parse((await planloom(["runs", "list", "--json"], guide)).stdout)
      expect(listed).toMatchObject([{ status: "cancelled" }])
      guide.model.answer(plan, reflection)
      const next = await planloom(["chat", GUIDE, ...session], { ...guide, input: `${QUESTION}\n` })
      expect(next.stdout).toContain("- Physics of emerging technology")
      const shown = await planloom(["sessions", "show", `during-${count}`, "--json"], guide)
      expect((JSON.parse(shown.stdout) as JsonObject)["turns"]).toHaveLength(1)
    },
  )
})

it("a server that is killed during a reflection continues with that call alone", async () => {
  guide.model.answer(plan, { ...reflection, delay: 1 })
  let before = guide.model.requests.length
  const killed = await serve([GUIDE], guide)
  const started = await fetch(`${killed.url}/workflows/conference_guide/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ inputs: { message: QUESTION } }),
  })
  const { run } = (await started.json()) as { readonly run: string }
  await guide.model.received(before + 2)
  await killed.stop("SIGKILL")
  guide.model.answer(reflection)
  before = guide.model.requests.length
  const server = await serve([GUIDE], guide)
  try {
    const headers = { accept: "text/event-stream" }
    const events = await fetch(`${server.url}/runs/${run}/events`, { headers })
    const text = await events.text()
    expect(text).toContain("Physics of emerging technology")
    expect(text.match(/"type":"ToolCalled"/g)).toHaveLength(2)
    expect(text.match(/"note":"thinking"/g)).toHaveLength(1)
    expect(guide.model.requests.length - before).toBe(1)
  } finally {
    await server.stop("SIGTERM")
  }
})

it.each([
  // The words of the visitor are searched, and the reflection on them is asked for.
  ["plan", 4],
  // The searches are relaxed, and the next reflection is asked for.
  ["reflection", 5],
] as const)(
  "waits as long as a busy service asks before it asks again for a %s, at most twice",
  async (step, requests) => {
    const PAUSE_MS = 700
    const answers = [plan, reflection] as const
    const busyAt = step === "plan" ? 0 : 1
    const busy = { status: 429, retryAfter: PAUSE_MS, when: answers[busyAt]!.when! }
    const asked = async (times: number) => {
      guide.model.answer(
        ...answers.slice(0, busyAt),
        ...Array.from({ length: times }, () => busy),
        ...answers.slice(busyAt),
      )
      const before = guide.model.requests.length
      const said = await planloom(["run", GUIDE, "--input", `message=${QUESTION}`, "--json"], guide)
      const events = lines(said) as ReadonlyArray<{
        readonly type: string
        readonly delay?: number
        readonly degraded?: ReadonlyArray<unknown>
      }>
      return {
        requests: guide.model.requests.length - before,
        delays: events.flatMap(({ delay, type }) => (type === "AttemptFailed" ? [delay] : [])),
        degraded: events.at(-1)!.degraded!.length,
      }
    }
    const { delays, ...answered } = await asked(2)
    expect(answered).toEqual({ requests: 4, degraded: 0 })
    expect(delays).toHaveLength(2)
    for (const delay of delays) expect(delay).toBeGreaterThanOrEqual(PAUSE_MS)
    expect(await asked(3)).toMatchObject({ requests, degraded: 1 })
  },
)
