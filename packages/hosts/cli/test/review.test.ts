/** The review queue on the command line: from a blocked reply to a decision, a test case and figures of reviewers. */
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, expect, it, onTestFinished } from "vitest"
import type { QueuedReview } from "@planloom/shadow/queue"
import { planloom, trusting } from "./planloom.ts"

const plugin = `
import { definePlugin, stageKind, subagent, validator } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { readFileSync } from "node:fs"
const finish = { type: "finish", reason: "stop", usage: { input: 3, output: 5 } }
const provider = {
  id: "echo",
  summary: "Replies with the request.",
  stream: ({ messages }) => Stream.make({ type: "text", text: messages.at(-1).content }, finish),
}
const reply = stageKind({
  id: "reply",
  summary: "Replies.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  streams: "text",
  model: ({ text }, { model }) =>
    Effect.map(model.text({ messages: [{ role: "user", content: text }], parts: "reply" }), ({ text }) => ({ text })),
})
const judge = {
  id: "judge",
  summary: "Replies with the line of a file.",
  stream: () => Stream.suspend(() =>
    Stream.make({ type: "text", text: readFileSync(new URL("judge.txt", import.meta.url), "utf8") }, finish)),
}
const tone = (id, at = "whole") => subagent({
  id,
  summary: "Asks a model.",
  class: "quality",
  can: ["pass", "block"],
  at,
  scope: "last",
  review: ({ text }, { model }) => Effect.map(
    model.text({ messages: [{ role: "user", content: "Judge: " + text }] }),
    ({ text }) => ({ verdict: text.split(" ")[0], confidence: 1, reason: text }),
  ),
})
const word = (id, verdict, pattern, more = {}) => validator({
  id,
  summary: "Finds a word.",
  ...more,
  validate: (text) => pattern.test(text)
    ? { verdict, confidence: 1, reason: "found in " + text }
    : { verdict: "pass", confidence: 1, reason: "fine" },
})
export default definePlugin({
  id: "words",
  summary: "Words.",
  components: {
    providers: [provider, judge],
    subagents: [tone("tone"), tone("manner"), tone("doorkeeper", "input"), tone("say")],
    stages: [reply],
    validators: [
      word("promise", "block", /guaranteed/),
      word("vow", "block", /guaranteed/, { window: 10 }),
      word("address", "flag", /@/),
    ],
  },
})
`

const workflow = (name: string) => `apiVersion: planloom/v1
kind: Workflow
name: ${name}
use: { plugins: ["@planloom/shadow", ./words.ts] }
inputs: { message: { type: string } }
user: { type: object, properties: { id: { type: string } } }
session: { request: "\${{ inputs.message }}", assistant: "\${{ stages.say.output.text }}" }
shadow: { gate: [promise, address] }
stages: [{ id: say, uses: reply, model: echo/any, with: { text: "\${{ inputs.message }}" } }]
outputs: { said: { type: string, stream: true, value: "\${{ stages.say.output.text }}" } }
`

let folder: string

const command = (...args: ReadonlyArray<string>) => planloom(args, { cwd: folder })

const reviews = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<QueuedReview>> => {
  const { code, stderr, stdout } = await command("review", "list", ...args, "--json")
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as ReadonlyArray<QueuedReview>
}

const say = async (user: string, message: string, name = "talk") => {
  const args = [
    "run",
    `${name}.yaml`,
    "--user",
    JSON.stringify({ id: user }),
    "-i",
    `message=${message}`,
  ]
  const { code, stderr } = await command(...args)
  expect(code, stderr).toBe(0)
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "planloom-review-")))
  await symlink(
    join(import.meta.dirname, "../../../../examples/plugin/node_modules"),
    join(folder, "node_modules"),
  )
  await writeFile(join(folder, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
  await writeFile(join(folder, "words.ts"), plugin)
  await writeFile(join(folder, "talk.yaml"), workflow("talk"))
  await writeFile(join(folder, "other.yaml"), workflow("other"))
  await trusting(folder)
  await say("ada", "Your gain is guaranteed, ask ada@bank.com.")
  await say("bob", "Write to bob@bank.com.")
  await say("bob", "Good morning.")
})

it("review list shows replies that a gate did not pass, redacted, oldest first", async () => {
  const all = await reviews()
  expect(all.map(({ item, state }) => [state, item.verdict, item.written, item.shown])).toEqual([
    ["open", "block", "Your gain is guaranteed, ask [email].", expect.stringContaining(" ")],
    ["open", "flag", "Write to [email].", undefined],
  ])
  expect(JSON.stringify(all)).not.toContain("bank.com")
  const { stdout } = await command("review", "list", "--limit", "1")
  expect(stdout).toContain("block")
  expect(stdout).not.toContain("flag")
})

it("review show prints the findings of a review", async () => {
  const [first] = await reviews()
  const { stdout } = await command("review", "show", first!.id)
  expect(stdout).toContain("promise")
  expect(stdout).toContain("found in Your gain is guaranteed, ask [email].")
  const { stdout: json } = await command("review", "show", first!.item.run, "--json")
  expect(JSON.parse(json)).toEqual(first)
  const { code, stderr } = await command("review", "show", "none")
  expect([code, stderr]).toEqual([1, expect.stringContaining('review not found: "none"')])
})

it("review claim gives each person another review, and a claimed one to no other person", async () => {
  const claim = async (by: string, ...args: ReadonlyArray<string>) => {
    const { stdout } = await command("review", "claim", ...args, "--by", by, "--json")
    return JSON.parse(stdout) as QueuedReview
  }
  const first = await claim("eve")
  const second = await claim("joe", "--for", "1ms")
  expect(second.id).not.toBe(first.id)
  expect((await reviews("--state", "claimed")).map(({ id }) => id)).toContain(first.id)
  const { code, stderr } = await command("review", "claim", first.id, "--by", "joe")
  expect([code, stderr]).toEqual([1, expect.stringContaining("claimed by eve until")])
  const again = await claim("eve", second.id)
  expect(again.item.claim!.by).toBe("eve")
  const { stderr: none } = await command("review", "claim", "--by", "zoe")
  expect(none).toContain("there is no open review")
  const { stderr: odd } = await command("review", "claim", "--for", "soon")
  expect(odd).toContain('--for "soon" is not a duration')
})

it("review decide is final, and refuses a review that another person has claimed", async () => {
  const [blocked, flagged] = await reviews()
  const decide = (id: string, ...args: ReadonlyArray<string>) =>
    command("review", "decide", id, ...args)
  const { stderr: claimed } = await decide(blocked!.id, "--verdict", "block", "--by", "joe")
  expect(claimed).toContain("claimed by eve")
  const { stderr: odd } = await decide(flagged!.id, "--verdict", "pass", "--text", "No.")
  expect(odd).toContain("--text has no place with the verdict pass")
  const more = ["--note", "A promise.", "--by", "eve"]
  expect((await decide(blocked!.id, "--verdict", "block", ...more)).code).toBe(0)
  const { stdout } = await decide(flagged!.id, "--verdict", "pass", "--by", "eve", "--json")
  expect(JSON.parse(stdout)).toMatchObject({
    state: "decided",
    item: { decision: { verdict: "pass", by: "eve" } },
  })
  const { stderr: twice } = await decide(blocked!.id, "--verdict", "pass", "--by", "eve")
  expect(twice).toContain("decided by eve")
  expect(await reviews("--state", "open")).toEqual([])
})

it("review report compares each reviewer with the decisions", async () => {
  const { stdout } = await command("review", "report", "--json")
  expect(JSON.parse(stdout)).toEqual([
    { reviewer: "address", decided: 2, agreement: 0, precision: 0.5, recall: 1, failed: 0 },
    { reviewer: "promise", decided: 2, agreement: 1, precision: 1, recall: 1, failed: 0 },
  ])
  expect((await command("review", "report")).stdout).toContain("100.0 %")
})

it("review cases writes decided reviews as tests that pass, and fail when the reviewers change", async () => {
  const { code, stderr } = await command("review", "cases", "--out", "reviews.test.yaml")
  expect(code, stderr).toBe(0)
  expect(await readFile(join(folder, "reviews.test.yaml"), "utf8")).toContain("ada@example.com")
  const passed = await command("test", "reviews.test.yaml")
  expect(passed.code, passed.stdout + passed.stderr).toBe(0)
  await writeFile(
    join(folder, "talk.yaml"),
    workflow("talk").replace("[promise, address]", "[address]"),
  )
  const { stdout: failed } = await command("test", "reviews.test.yaml")
  expect(failed).toContain('e.verdict in ["block"]')
  await say("joe", "Our rate is guaranteed.", "other")
  const [open] = await reviews("--state", "open")
  const text = ["--verdict", "replace", "--text", "Our rate may change."]
  await command("review", "decide", open!.id, ...text)
  expect((await command("review", "cases")).stderr).toContain("--workflow other")
  const { stdout } = await command("review", "cases", "--workflow", "other", "--json")
  expect(JSON.parse(stdout).tests[0].expect.assert).toContain(
    'outputs.exists(name, outputs[name] == "Our rate may change.")',
  )
})

it("review cases script the models of reviewers: a confirmed verdict passes without them, an overturned one fails", async () => {
  const judged = workflow("judged")
    .replace("[promise, address]", "[tone, { use: manner, model: judge/any }], model: strict")
    .replace("shadow:", "models: { strict: { try: [judge/any] } }\nshadow:")
  await writeFile(join(folder, "judged.yaml"), judged)
  await writeFile(join(folder, "judge.txt"), "block because of eve@bank.com")
  await say("ida", "Write to kim@bank.com.", "judged")
  await say("ida", "Your offer was refused.", "judged")
  await rm(join(folder, "judge.txt"))
  const [confirmed, overturned] = await reviews("--state", "open")
  await command("review", "decide", confirmed!.id, "--verdict", "block", "--by", "eve")
  await command("review", "decide", overturned!.id, "--verdict", "pass", "--by", "eve")
  const args = ["--workflow", "judged", "--out", "judged.test.yaml"]
  const { code, stderr } = await command("review", "cases", ...args)
  expect(code, stderr).toBe(0)
  const text = await readFile(join(folder, "judged.test.yaml"), "utf8")
  expect(text).not.toContain("bank.com")
  expect(text).toContain("block because of ada@example.com")
  expect(stderr).toContain("fails until the rules change")
  expect(stderr).toContain(overturned!.id)
  expect(stderr).not.toContain(confirmed!.id)
  const tested = await command("test", "judged.test.yaml")
  expect(tested.stdout).toContain("1 passed, 1 failed")
  expect(tested.stdout).not.toContain("not used")
  await command("users", "forget", "ida")
})

it.each([
  ["has blocked a part of it", "[vow]", "Your gain is guaranteed, "],
  ["has blocked its request", "[{ use: doorkeeper, model: strict }]", ""],
  [
    "has the id of its stage",
    "[{ use: say, model: strict }]",
    "Your gain is guaranteed, ask [email].",
  ],
  [
    "has failed",
    "[{ use: tone, model: strict }], on_error: { quality: block }",
    "Your gain is guaranteed, ask [email].",
  ],
])("review cases of a reply whose reviewer %s pass", async (_, gate, written) => {
  onTestFinished(async () => void (await command("users", "forget", "kay")))
  const shadow = `{ gate: ${gate} }\nmodels: { strict: { try: [judge/any] } }`
  await writeFile(
    join(folder, "kept.yaml"),
    workflow("kept").replace("{ gate: [promise, address] }", shadow),
  )
  if (!gate.includes("on_error")) await writeFile(join(folder, "judge.txt"), "block it")
  await say("kay", "Your gain is guaranteed, ask kay@bank.com.", "kept")
  await rm(join(folder, "judge.txt"), { force: true })
  const [blocked] = await reviews("--state", "open")
  expect(blocked!.item.written).toBe(written)
  const { stdout: listed } = await command("review", "list", "--state", "open")
  expect(listed).toContain("Your gain is guaranteed,")
  await command("review", "decide", blocked!.id, "--verdict", "block", "--by", "eve")
  const args = ["--workflow", "kept", "--out", "kept.test.yaml"]
  const { code, stderr } = await command("review", "cases", ...args)
  expect(code, stderr).toBe(0)
  const tested = await command("test", "kept.test.yaml")
  expect(tested.stdout + tested.stderr).toContain("1 passed, 0 failed")
})

it("chat on a pipe prints a reply at once, then its correction; run prints what the run ends with", async () => {
  const late = workflow("late").replace("{ gate: [promise, address] }", "{ async: [promise] }")
  const texts = "texts: { escalate: { en: A person calls you. } }\n"
  await writeFile(join(folder, "late.yaml"), late + texts)
  const user = ["--user", '{"id":"zoe"}']
  const ran = await command("run", "late.yaml", "-i", "message=It is guaranteed.", ...user)
  expect(ran.code, ran.stderr).toBe(0)
  expect(ran.stdout).toBe("A person calls you.\n")
  const chatted = await planloom(["chat", "late.yaml", "--session", "late", ...user], {
    cwd: folder,
    input: "It is guaranteed.\nGood morning.\n",
  })
  expect(chatted.code, chatted.stderr).toBe(0)
  expect(chatted.stdout).toMatch(/^It is guaranteed\.\s+A person calls you\.\s+Good morning\.\s*$/)
  expect(chatted.stderr).toContain("said is retracted")
  expect(chatted.stderr).not.toContain("guaranteed")
  const { stdout: kept } = await command("sessions", "show", "late", "--json")
  expect(kept).toContain("A person calls you.")
  expect(JSON.parse(kept).turns[0].assistant).toBe("A person calls you.")
  const queued = await reviews("--state", "open")
  expect(queued.map(({ item }) => item.shown)).toEqual([
    "A person calls you.",
    "A person calls you.",
  ])
  await command("users", "forget", "zoe")
})

it("users forget erases the reviews of a user", async () => {
  const { stdout } = await command("users", "forget", "bob", "--json")
  expect(JSON.parse(stdout).reviews).toHaveLength(1)
  expect((await reviews()).map(({ item }) => item.written)).toEqual([
    "Your gain is guaranteed, ask [email].",
    "Our rate is guaranteed.",
  ])
})

it("runs prune deletes decided reviews with their runs, and keeps undecided ones", async () => {
  await say("ann", "A win is guaranteed.", "other")
  expect(await reviews("--state", "decided")).toHaveLength(2)
  const { code, stderr } = await command("runs", "prune", "--keep", "0")
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(/deleted \d+ runs and 2 decided reviews\n/)
  expect(stderr).toContain("1 review of deleted runs stays to be decided: planloom review list")
  const [left, ...others] = await reviews()
  expect([left!.state, left!.item.written, others]).toEqual(["open", "A win is guaranteed.", []])
  await command("review", "decide", left!.id, "--verdict", "block")
  expect((await command("runs", "prune", "--older-than", "9w")).stderr).toContain(
    "deleted 0 runs\n",
  )
  expect(await reviews()).toHaveLength(1)
  const { stderr: last } = await command("runs", "prune", "--older-than", "0s")
  expect(last).toContain("deleted 0 runs and 1 decided review\n")
  expect(await reviews()).toEqual([])
})
