/** Conversations end to end: turns are kept, questions go on where they stood, scripts can talk, too. */
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { fixture, lines, planloom } from "./planloom.ts"

const folders: Array<string> = []
let cwd: string

/** A project of its own, where the fixture's packages are found and nothing is committed. */
beforeEach(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "chat-"))
  folders.push(cwd)
  await cp(join(fixture, "plugin.ts"), join(cwd, "plugin.ts"))
  await cp(join(fixture, "workflows"), join(cwd, "workflows"), { recursive: true })
})

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const chat = (input: string, ...args: ReadonlyArray<string>) =>
  planloom(["chat", "talk", ...args], { cwd, input })

describe("planloom chat", () => {
  it("answers each line, and continues a session of another process", async () => {
    const first = await chat("hello\n\n  you  \n", "--session", "s", "-i", "tone=calm")
    expect(first).toEqual({
      code: 0,
      stdout: "calm reply 1 to hello\ncalm reply 2 to you\n",
      stderr: "",
    })
    const second = await chat("again\n", "--continue")
    expect(second.stdout).toBe("plain reply 3 to again\n")
    const other = await chat("new\n")
    expect(other.stdout).toBe("plain reply 1 to new\n")
    const shown = await planloom(["sessions", "show", "s", "--json"], { cwd })
    expect(JSON.parse(shown.stdout)).toMatchObject({
      session: "s",
      version: 3,
      state: { count: 3 },
      turns: [{ user: "hello" }, { user: "you" }, { user: "again" }],
    })
  })

  it("takes the next line as the answer to a question, or leaves the question open at the end of input", async () => {
    const at_once = await chat("where\n2\nbye\n", "--session", "a")
    expect(at_once).toMatchObject({ code: 0 })
    expect(at_once.stderr).toContain("? Which room?")
    expect(at_once.stdout).toBe("plain reply 1 to where\nin the hall\nplain reply 2 to bye\n")
    const open = await chat("where\n", "--session", "b")
    expect(open.code).toBe(4)
    expect((await planloom(["runs", "list", "--json"], { cwd })).stdout).toContain(
      '"status": "clarification"',
    )
    const refused = await planloom(["run", "talk", "-i", "message=x", "--session", "b"], { cwd })
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain("waits for an answer")
    const later = await chat("kitchen\nbye\n", "--session", "b")
    expect(later).toMatchObject({ code: 0 })
    expect(later.stdout).toContain("in the kitchen")
    expect(later.stdout).toContain("plain reply 2 to bye")
  })

  it("replays one cassette per turn and stores no session", async () => {
    const said = "hello\nlock\nyou\n"
    const recorded = await chat(said, "--yes", "--record", "tape")
    expect(recorded, recorded.stderr).toMatchObject({ code: 0 })
    expect(recorded.stdout).toContain("plain reply 1 to hello")
    expect(await chat(said, "--yes", "--replay", "tape")).toEqual(recorded)
    const longer = await chat(`${said}more\n`, "--yes", "--replay", "tape")
    expect(longer.code).toBe(1)
    expect(longer.stderr).toContain("turn-4")
    const kept = await planloom(["runs", "list", "--json"], { cwd })
    expect(kept.stdout).not.toContain("turn-1")
  })

  it("applies --set to one session", async () => {
    const said = await chat("hello\n", "--set", "inputs.tone.default=calm")
    expect(said.stdout).toBe("calm reply 1 to hello\n")
  })

  it("asks before a tool that needs approval, unless --yes is given", async () => {
    const said = await chat("lock\ny\nlock\nn\n")
    expect(said.stderr).toContain("lock_door")
    const events = lines(await chat("lock\n", "--yes", "--json"))
    expect(events).toContainEqual(
      expect.objectContaining({ type: "ToolCalled", tool: "lock_door" }),
    )
    expect(events.at(-1)).toMatchObject({ type: "Result", status: "succeeded" })
  })

  it.each([
    ["sí", "sí, por favor"],
    ["wait, which door is that?", "yes please"],
    ["", "ok"],
  ])("asks a piped approval again until a line is a yes or a no: %j, then %j", async (one, two) => {
    const { code, stderr, stdout } = await chat(`lock\n${one}\n${two}\nhello\n`, "--session", two)
    expect(code, stderr).toBe(0)
    const isTaken = one === "sí"
    expect(stderr.includes("not a valid answer")).toBe(!isTaken)
    expect(stderr.split("lock_door").length - 1).toBeGreaterThanOrEqual(isTaken ? 1 : 2)
    expect(stdout).toContain(`plain reply ${isTaken ? 3 : 2} to hello`)
  })

  it("leaves an approval open at the end of a pipe, and asks it first in the next chat", async () => {
    const open = await chat("lock\nperhaps\n", "--session", "later")
    expect(open.code).toBe(4)
    const next = await chat("sí\nhello\n", "--session", "later")
    expect(next, next.stderr).toMatchObject({ code: 0 })
    expect(next.stdout).toContain("plain reply 2 to hello")
  })

  it("reports a failed turn, does not record it, and continues", async () => {
    const said = await chat("fail\nhello\n", "--session", "f")
    expect(said.code).toBe(3)
    expect(said.stderr).toContain("the run failed in broken: rate_limit")
    expect(said.stdout).toContain("plain reply 1 to hello")
  })

  it("prints every event with --json, and early outputs before the run ends", async () => {
    const events = lines(await chat("hello\nyou\n", "--json"))
    const types = events.map(({ type }) => type)
    expect(types.filter((type) => type === "Result").length).toBe(2)
    expect(types.indexOf("OutputReady")).toBeLessThan(types.indexOf("RunFinished"))
    expect(events.filter(({ type }) => type === "SessionOpened")).toMatchObject([
      { version: 0, turns: 0 },
      { version: 1, turns: 1 },
    ])
  })

  it("keeps a session in memory with --no-store", async () => {
    const said = await chat("a\nb\n", "--no-store")
    expect(said.stdout).toBe("plain reply 1 to a\nplain reply 2 to b\n")
    expect((await planloom(["sessions", "list"], { cwd })).code).toBe(1)
  })

  it("rejects a workflow without a session with the declaration to add", async () => {
    const said = await planloom(["chat", "quick"], { cwd, input: "hello\n" })
    expect(said).toMatchObject({ code: 1, stdout: "" })
    expect(said.stderr).toContain('the workflow "quick" has no session')
    expect(said.stderr).toContain('request: "${{ inputs.question }}"')
    expect(said.stderr).toContain('assistant: "${{ stages.thought.output.text }}"')
    const wrong = await chat("", "--message-input", "massage")
    expect(wrong).toMatchObject({ code: 2 })
    expect((await chat("", "--continue")).stderr).toContain("has no session here yet")
  })
})

describe("planloom sessions", () => {
  it("lists, shows and clears the session of runs", async () => {
    const say = (message: string, ...more: ReadonlyArray<string>) =>
      planloom(["run", "talk", "-i", `message=${message}`, ...more], { cwd })
    await say("one", "--session", "mine")
    const second = await say("two", "--session", "mine")
    expect(second.stdout).toContain("plain reply 2 to two")
    expect((await say("alone")).stdout).toContain("plain reply 1 to alone")
    const listed = await planloom(["sessions", "list"], { cwd })
    expect(listed.stdout).toMatch(/mine +talk +2 /)
    const turns = await planloom(["runs", "list", "--session", "mine", "--json"], { cwd })
    expect(JSON.parse(turns.stdout)).toMatchObject([{ session: "mine" }, { session: "mine" }])
    const unkept = await say("x", "--session", "mine", "--no-store")
    expect(unkept.code).toBe(2)
    expect(await planloom(["sessions", "clear", "mi"], { cwd })).toMatchObject({
      code: 0,
      stderr: "cleared the session mine\n",
    })
    expect((await planloom(["sessions", "show", "mine"], { cwd })).code).toBe(1)
    expect((await say("three", "--session", "mine")).stdout).toContain("plain reply 1 to three")
  })
})
