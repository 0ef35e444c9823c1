/** Every command of the documentation runs, here or in a test that a list names. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { wireServer, type WireServer } from "@planloom/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { commandLines, type CommandLine } from "./commandLines.ts"
import { commandPages, runElsewhere, type CommandPage } from "./commandPages.ts"
import { wordsOf } from "./guide.ts"
import { planloom, serve, trusting, type Outcome } from "./planloom.ts"

const root = join(import.meta.dirname, "../../../..")
const env = { OPENAI_API_KEY: "not-a-real-key" }

const elsewhere = ({ line, page }: CommandLine): string | undefined =>
  runElsewhere.find(([of, lines]) => of.test(page) && lines.test(line))?.[2]

const here = commandLines.filter((one) => elsewhere(one) === undefined)

let model: WireServer
beforeAll(async () => {
  model = await wireServer({ models: ["gpt-4.1-mini", "gpt-6.1-sol", "gpt-6.1-terra", "qwen3"] })
})
afterAll(() => model.close())

describe("a command of the documentation", () => {
  it("runs here or elsewhere, and the tests that are named exist", () => {
    expect(commandLines.length).toBeGreaterThan(100)
    const homeless = here.filter(({ page }) => commandPages[page] === undefined)
    expect(homeless).toEqual([])
    for (const [page, line, where] of runElsewhere) {
      if (/^packages\/\S+\.ts$/.test(where)) expect(existsSync(join(root, where)), where).toBe(true)
      const isUsed = commandLines.some((one) => page.test(one.page) && line.test(one.line))
      expect(isUsed, `${page} ${line} names no command`).toBe(true)
    }
  })

  it.each(Object.keys(commandPages))("of %s ends as expected", async (page) => {
    const spec = commandPages[page]!
    const folder = await mkdtemp(join(tmpdir(), "planloom-commands-"))
    await trusting(folder)
    const project = `apiVersion: planloom/v1
kind: Project
plugins:
  "@planloom/provider-openai": { servers: { openai: { base_url: "${model.url}/v1" }, local: { base_url: "${model.url}/v1" } } }
`
    for (const [path, text] of Object.entries({ "planloom.yaml": project, ...spec.files })) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const server = spec.serves && (await serve(spec.serves.slice(1), { cwd: folder, env }))
    const port = server === undefined ? "" : new URL(server.url).port
    const problems: Array<string> = []
    const ran = async (line: string, isShown: boolean) => {
      const { code, said } = await runLine(line, folder, port, spec)
      const wanted = codeOf(spec, line)
      if (isShown && !wanted.includes(code)) problems.push(`$ ${line}\nexit code ${code}\n${said}`)
    }
    try {
      for (const line of spec.first ?? []) await ran(line, false)
      for (const { line } of here.filter((one) => one.page === page)) {
        const before = spec.runs?.findLast(([pattern]) => pattern.test(line))?.slice(1) ?? []
        if (line.includes("3f2a"))
          for (const command of before as ReadonlyArray<string>) await ran(command, false)
        await ran(line, true)
      }
      expect(problems).toEqual([])
    } finally {
      await server?.stop("SIGINT")
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** Time limit of curl for a stream that stays open. */
const STREAM_S = "3"
const TIMED_OUT = 28

const codeOf = (spec: CommandPage, line: string): ReadonlyArray<number | null> => {
  if (/text\/event-stream/.test(line)) return [0, TIMED_OUT]
  return [spec.codes?.find(([pattern]) => pattern.test(line))?.[1] ?? 0]
}

const newestRun = async (cwd: string): Promise<string> => {
  const { stdout } = await planloom(["runs", "list", "--json", "--limit", "1"], { cwd, env })
  const runs = JSON.parse(stdout || "[]") as ReadonlyArray<{ readonly run: string }>
  return runs[0]?.run ?? "none"
}

const runLine = async (
  line: string,
  cwd: string,
  port: string,
  { input }: CommandPage,
): Promise<{ readonly code: number | null; readonly said: string }> => {
  const id = line.includes("3f2a") ? await newestRun(cwd) : ""
  const words = wordsOf(
    line.replaceAll("3f2a", id).replaceAll("localhost:8787", `127.0.0.1:${port}`),
  )
  // Where the shell would write the output makes no difference to the command.
  const to = words.indexOf(">")
  const [program, ...args] = to < 0 ? words : words.slice(0, to)
  if (program === "curl") return await curl(args)
  expect(program, line).toBe("planloom")
  const text = input?.find(([pattern]) => pattern.test(line))?.[1]
  const { code, stderr, stdout }: Outcome = await planloom(args, {
    cwd,
    env,
    ...(text === undefined ? {} : { input: text }),
  })
  return { code, said: `${stdout}\n${stderr}` }
}

/** A refusal of the server is an error of curl. */
const curl = async (args: ReadonlyArray<string>) =>
  promisify(execFile)("curl", ["-sS", "--fail-with-body", "--max-time", STREAM_S, ...args]).then(
    ({ stderr, stdout }) => ({ code: 0, said: `${stdout}\n${stderr}` }),
    (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => ({
      code: error.code,
      said: `${error.stdout}\n${error.stderr}`,
    }),
  )
