/** Swaps of models, versions of prompts and their rollback in the middle of a running chat, and of a server under load. */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { planloom, serve, start } from "./planloom.ts"
import { GUIDE, planned, reflected, scriptedGuide, type ScriptedGuide } from "./scriptedGuide.ts"

const [SONNET, HAIKU] = ["claude-sonnet-5-5", "claude-haiku-4-5"]
const ADDED = "- Answer in one word.\n"

let guide: ScriptedGuide

beforeAll(async () => {
  guide = await scriptedGuide()
})
afterAll(() => guide[Symbol.asyncDispose]())

const done = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await planloom(args, guide)
  expect(code, stderr).toBe(0)
  return stdout
}
const swap = (alias: string) =>
  done("models", "swap", GUIDE, alias, `anthropic/${HAIKU}`, "--by", "ann", "--why", "cheaper")
const undo = () => done("models", "undo", GUIDE, "--by", "bob")
const edit = async () => {
  const text = await done("prompts", "show", GUIDE, "plan")
  await writeFile(join(guide.cwd, "draft.md"), `${text}${ADDED}`)
  await done("prompts", "edit", GUIDE, "plan", "--from", "draft.md", "--by", "ann")
}
const rollback = () => done("prompts", "use", GUIDE, "plan", "file", "--by", "bob")

const requests = (from: number) => guide.model.requests.slice(from).map(({ body }) => body)
const modelOf = (body: JsonObject) => body["model"]
const systemOf = (body: JsonObject): string =>
  (body["system"] as ReadonlyArray<{ readonly text: string }>).map(({ text }) => text).join("")

const eventsIn = (text: string): ReadonlyArray<JsonObject> =>
  text.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as JsonObject] : []))
const modelsIn = (events: ReadonlyArray<JsonObject>): ReadonlyArray<Json | undefined> =>
  events.flatMap((event) => (event["type"] === "ModelCalled" ? [event["model"]] : []))
const versionsIn = (events: ReadonlyArray<JsonObject>): ReadonlyArray<Json | undefined> =>
  events.flatMap((event) => (event["type"] === "PromptsPinned" ? [event["versions"]] : []))

it("a running chat takes a swap and an edit at its next turn, and their rollback at the one after", async () => {
  guide.model.answer(planned(["sessions", "fraud rings"]))
  const before = guide.model.requests.length
  const chat = await start(["chat", GUIDE, "--json"], guide)
  let turns = 0
  const say = async (message: string) => {
    chat.write(`${message}\n`)
    turns++
    await chat.saw(new RegExp(`(?:"type":"Result"[^]*){${turns}}`))
  }
  await say("Talks about fraud rings")
  await swap("planner")
  await edit()
  await say("Talks about fraud rings")
  await undo()
  await rollback()
  await say("Talks about fraud rings")
  chat.kill("SIGTERM")
  await chat.ended
  const [first, second, third] = requests(before)
  expect([first!, second!, third!].map(modelOf)).toEqual([SONNET, HAIKU, SONNET])
  expect(systemOf(second!)).toContain(ADDED.trim())
  expect(JSON.stringify(third!["system"])).toBe(JSON.stringify(first!["system"]))
  const file = join(guide.cwd, "templates/prompts/conference_guide/plan.md")
  expect(await done("prompts", "show", GUIDE, "plan")).toBe(await readFile(file, "utf8"))
  // The record of each turn says which model and which version it was.
  const events = eventsIn(chat.stdout())
  expect(modelsIn(events)).toEqual([SONNET, HAIKU, SONNET].map((model) => `anthropic/${model}`))
  expect(versionsIn(events)).toEqual([{ plan: "1" }])
}, 120_000)

it("runs of a server under load take a swap at their next call, and its undo", async () => {
  const LOAD = 8
  const plan = planned(["sessions", "quantum computing"])
  const reflection = reflected("rewrite", "Let me try other words.", [
    "sessions",
    "physics computing emerging technology quantum",
  ])
  const each = <A>(make: () => A): ReadonlyArray<A> => Array.from({ length: LOAD }, make)
  guide.model.answer(...each(() => ({ ...plan, delay: 1 })), ...each(() => plan), reflection)
  const before = guide.model.requests.length
  const server = await serve([GUIDE, "--concurrency", `${4 * LOAD}`], guide)
  try {
    const post = async (): Promise<string> => {
      const response = await fetch(`${server.url}/workflows/conference_guide/runs`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ inputs: { message: "Find sessions about quantum computing" } }),
      })
      return ((await response.json()) as { readonly run: string }).run
    }
    const eventsOf = async (run: string): Promise<ReadonlyArray<JsonObject>> => {
      const headers = { accept: "text/event-stream" }
      const response = await fetch(`${server.url}/runs/${run}/events`, { headers })
      return eventsIn((await response.text()).replaceAll(/^data: /gm, ""))
    }
    const loaded = await Promise.all(each(post))
    await guide.model.received(before + LOAD)
    // All of them wait for their plan.
    await swap("planner")
    await swap("reflector")
    await edit()
    const later = Promise.all(each(post))
    guide.model.release()
    const swapped = await Promise.all((await later).map(eventsOf))
    const running = await Promise.all(loaded.map(eventsOf))
    await undo()
    await undo()
    await rollback()
    guide.model.answer(...each(() => plan), reflection)
    const restored = await Promise.all((await Promise.all(each(post))).map(eventsOf))
    const [sonnet, haiku] = [SONNET, HAIKU].map((model) => `anthropic/${model}`)
    for (const events of running) expect(modelsIn(events)).toEqual([sonnet, haiku])
    for (const events of swapped) expect(modelsIn(events)).toEqual([haiku, haiku])
    for (const events of restored) expect(modelsIn(events)).toEqual([sonnet, sonnet])
    // A run keeps its prompts to its end.
    for (const events of [...running, ...restored]) expect(versionsIn(events)).toEqual([])
    for (const events of swapped) expect(versionsIn(events)).toEqual([{ plan: "2" }])
    for (const events of [...running, ...swapped, ...restored]) {
      expect(events.filter(({ type }) => type === "RunFinished")).toHaveLength(1)
      expect(events.filter(({ type }) => type === "Degraded")).toEqual([])
    }
    const plans = requests(before).filter((body) => systemOf(body).includes("You plan"))
    const texts = [...new Set(plans.map((body) => JSON.stringify(body["system"])))]
    expect(texts).toHaveLength(2)
    expect(JSON.stringify(plans.at(-1)!["system"])).toBe(JSON.stringify(plans[0]!["system"]))
    const history = JSON.parse(await done("models", "history", GUIDE, "--json")) as JsonObject
    expect(history).toMatchObject([
      { by: "bob", undoes: 3 },
      { by: "bob", undoes: 4 },
      { alias: "reflector", by: "ann", why: "cheaper" },
      { alias: "planner", by: "ann", why: "cheaper" },
      { by: "bob", undoes: 1 },
      { alias: "planner", by: "ann" },
    ])
  } finally {
    await server.stop("SIGTERM")
  }
}, 180_000)

it("a swap of the planner changes the model of reflections, too, unless they have one of their own", async () => {
  const asked = async () => {
    guide.model.answer(
      planned(["sessions", "quantum computing"]),
      reflected("rewrite", "Let me try other words.", ["sessions", "physics emerging technology"]),
    )
    const message = "message=Find sessions about quantum computing"
    return modelsIn(eventsIn(await done("run", GUIDE, "--input", message, "--json")))
  }
  const [sonnet, haiku] = [SONNET, HAIKU].map((model) => `anthropic/${model}`)
  await swap("planner")
  expect(await asked()).toEqual([haiku, haiku])
  expect(await done("models", "list", GUIDE)).toMatch(/alias reflector +as planner/)
  await done("models", "swap", GUIDE, "reflector", sonnet!)
  expect(await asked()).toEqual([haiku, sonnet])
  await undo()
  await undo()
  expect(await asked()).toEqual([sonnet, sonnet])
}, 120_000)
