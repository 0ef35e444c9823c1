/** The conference guide as a visitor uses it, with `run`, `chat` and `serve`. */
import { cp, readFile } from "node:fs/promises"
import { join } from "node:path"
import { userEvent, type RunEvent } from "@planloom/plugin/effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { lines, planloom, serve } from "./planloom.ts"
import { GUIDE, planned, reflected, scriptedGuide, type ScriptedGuide } from "./scriptedGuide.ts"

let guide: ScriptedGuide

beforeAll(async () => {
  guide = await scriptedGuide()
})
afterAll(() => guide[Symbol.asyncDispose]())

const QUESTION = "Find sessions about quantum computing"
const THOUGHT = "Nothing is called that here. Let me try related subjects."
const REWRITTEN = "physics computing emerging technology quantum"

const scripted = (thought = THOUGHT) =>
  guide.model.answer(
    planned(["sessions", "quantum computing"]),
    reflected("rewrite", thought, ["sessions", REWRITTEN]),
  )

interface Seen {
  readonly type: string
  readonly path?: string
  readonly note?: string
  readonly text?: string
  readonly params?: { readonly query?: string }
}

/** Names of what a visitor notices and of the searches, in the order in which a host got them. */
const course = (events: ReadonlyArray<object>): ReadonlyArray<string> =>
  (events as ReadonlyArray<Seen>).flatMap((event) => {
    if (event.type === "Noted" && event.note === "thinking") return [`read: ${event.text}`]
    if (event.type === "StageStarted" && event.path?.endsWith("/search"))
      return [`search ${event.path}`]
    return event.type === "ToolCalled" ? [`called: ${event.params?.query}`] : []
  })

const right = [
  "search work[0]/search",
  "called: quantum computing",
  `read: ${THOUGHT}`,
  "search work[1]/search",
  `called: ${REWRITTEN}`,
]

describe("what is tried is read before the next search begins", () => {
  it("with run", async () => {
    scripted()
    const said = await planloom(["run", GUIDE, "--input", `message=${QUESTION}`, "--json"], guide)
    expect(said.stderr).toBe("")
    expect(course(lines(said))).toEqual(right)
  })

  it("with run on a pipe, as a line of standard error", async () => {
    scripted()
    const said = await planloom(["run", GUIDE, "--input", `message=${QUESTION}`], guide)
    expect(said.stderr).toContain(THOUGHT)
    expect(said.stdout).not.toContain(THOUGHT)
    expect(said.stdout).toContain("Physics of emerging technology")
  })

  it("with chat", async () => {
    scripted()
    const said = await planloom(["chat", GUIDE, "--json"], { ...guide, input: `${QUESTION}\n` })
    expect(course(lines(said))).toEqual(right)
  })

  it("with serve, as server-sent events", async () => {
    scripted()
    const server = await serve([GUIDE], guide)
    try {
      const started = await fetch(`${server.url}/workflows/conference_guide/runs`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ inputs: { message: QUESTION } }),
      })
      const { run } = (await started.json()) as { readonly run: string }
      const streamed = await fetch(`${server.url}/runs/${run}/events`, {
        headers: { accept: "text/event-stream" },
      })
      const events = (await streamed.text())
        .split("\n")
        .flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []))
      expect(course(events)).toEqual(right)
    } finally {
      await server.stop("SIGTERM")
    }
  })
})

it.each([
  "The scores of the faceted search were too low.",
  "I am calling search_documents again.",
  "I lower the threshold to 0.15.",
  "Let me read the abstract of each one.",
])("%s is not shown, but the text of the strategy", async (thought) => {
  scripted(thought)
  const said = await planloom(["run", GUIDE, "--input", `message=${QUESTION}`, "--json"], guide)
  expect(course(lines(said))[2]).toBe("read: I am trying other words.")
})

it("continues with the queries that were searched last, also after a question, and across processes", async () => {
  scripted()
  await planloom(["chat", GUIDE, "--session", "s"], { ...guide, input: `${QUESTION}\n` })
  guide.model.answer({ when: "You plan", json: { question: "What about it?", queries: [] } })
  await planloom(["chat", GUIDE, "--session", "s"], { ...guide, input: "and?\n" })
  const before = guide.model.requests.length
  guide.model.answer({
    when: JSON.stringify(JSON.stringify(REWRITTEN)).slice(1, -1),
    json: { queries: [{ library: "sessions", query: REWRITTEN, filter: { day: "Tuesday" } }] },
  })
  const said = await planloom(["chat", GUIDE, "--session", "s"], {
    ...guide,
    input: "only on Tuesday\n",
  })
  expect(guide.model.requests.length - before).toBe(1)
  expect(said.stdout).toMatch(/^(- .*Tuesday.*\n)+$/)
  const shown = await planloom(["sessions", "show", "s", "--json"], guide)
  expect(JSON.parse(shown.stdout)).toMatchObject({
    state: {
      queries: [{ library: "sessions", query: REWRITTEN, filter: { day: "Tuesday" } }],
    },
    turns: [{ user: QUESTION }, { user: "and?" }, { user: "only on Tuesday" }],
  })
})

it("is explained by runs show without a name of a tool, a param or a step", async () => {
  scripted()
  const said = await planloom(["run", GUIDE, "--input", `message=${QUESTION}`, "--json"], guide)
  const [{ run }] = lines(said) as unknown as readonly [{ readonly run: string }]
  const { stdout } = await planloom(["runs", "show", run], guide)
  const explained = stdout.slice(stdout.indexOf("reflection after round 1"))
  expect(explained.replaceAll(/\s+/g, " ")).toContain(
    [
      "reflection after round 1",
      "looked for It looked for “quantum computing” (sessions).",
      "missing Nothing was found for “quantum computing” (sessions).",
      `changed It tried other words: “${REWRITTEN}” (sessions).`,
      `the user read ${THOUGHT}`,
      `came back 5 passages for "${REWRITTEN}". No document has "quantum".`,
    ].join(" "),
  )
  expect(explained).not.toMatch(/search_|library|threshold|faceted|limit|_again/)
})

it("is recorded with its strategy, retry and time; the reasoning is for operators, and the system text is cached", async () => {
  const reasoning = "No title has these words."
  const { json, when } = reflected("rewrite", THOUGHT, ["sessions", REWRITTEN])
  guide.model.answer(planned(["sessions", "quantum computing"]), {
    when: when!,
    json: { ...(json as object), reasoning },
  })
  const said = await planloom(["run", GUIDE, "--input", `message=${QUESTION}`, "--json"], guide)
  const events = lines(said).filter(
    ({ type }) => type !== "Result",
  ) as unknown as ReadonlyArray<RunEvent>
  const thinking = events.find((event) => event.type === "Noted" && event.note === "thinking")
  expect(thinking).toMatchObject({
    audience: "user",
    text: THOUGHT,
    data: { strategy: "rewrite", retry: 1 },
    at: expect.any(Number),
  })
  const noted = events.find((event) => event.type === "Noted" && event.note === "reflection")
  expect(noted).toMatchObject({ data: { strategy: "rewrite", reasoning } })
  expect(JSON.stringify(events.map(userEvent))).not.toContain(reasoning)
  expect(JSON.stringify(events.map(userEvent))).toContain(THOUGHT)
  expect(guide.model.requests.at(-1)!.body["system"]).toContainEqual(
    expect.objectContaining({
      text: expect.stringContaining("You reflect on the searches"),
      cache_control: { type: "ephemeral" },
    }),
  )
})

it("passes the gate of the workflow, which masks what is personal", async () => {
  scripted("Nothing yet. Sam Lee at +1 415 555 2671 may know.")
  const said = await planloom(["run", GUIDE, "--input", `message=${QUESTION}`, "--json"], guide)
  expect(course(lines(said))[2]).toBe("read: Nothing yet. Sam Lee at [phone] may know.")
})

it("finds more after its reflections, with never more retries than configured, in the sixty searches of its evaluation", async () => {
  const evaluation = GUIDE.replace(".yaml", ".eval.yaml")
  const root = join(import.meta.dirname, "../../../..")
  await cp(join(root, evaluation), join(guide.cwd, evaluation))
  const said = await planloom(["eval", evaluation], guide)
  expect(said.code, said.stdout).toBe(0)
  // As its page says: 39 and 10 of 60 with reflections by script, 39 and 39 without a model.
  expect(said.stdout).toMatch(/^ +zero_before +0\.65 +0\.65$/m)
  expect(said.stdout).toMatch(/^ +zero_after +0\.1667 +0\.65$/m)
  for (const variant of ["scripted", "mechanical"])
    expect(said.stdout).toContain(`✓ scores.retries.max <= 2 (${variant})`)
}, 120_000)

it("has no problem, at most 120 lines, and no plugin but what ships", async () => {
  const checked = await planloom(["check", "--max-warnings", "0", GUIDE], guide)
  expect(checked.stdout + checked.stderr).toContain("no problems")
  const text = await readFile(`${guide.cwd}/${GUIDE}`, "utf8")
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(120)
  const [, plugins] = /plugins: \[(.*)\]/.exec(text)!
  for (const plugin of plugins!.split(", ")) expect(plugin).toMatch(/^"@planloom\/[a-z-]+"$/)
})
