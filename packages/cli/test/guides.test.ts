/** Every guide of the documentation, executed: its files are written and checked, its commands print what it shows. */
import { globSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { wireServer, type WireAnswer, type WireServer } from "@planloom/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isPrinted, readGuide, wordsOf, type GuideCommand } from "./guide.ts"
import { planloom, trusting } from "./planloom.ts"

const root = join(import.meta.dirname, "../../..")
const pages = globSync("docs/how-to/*.md", { cwd: root }).filter((page) => !page.endsWith("README.md"))

let server: WireServer

beforeAll(async () => {
  server = await wireServer()
})

afterAll(() => server.close())

/** Sends every provider to the model of the test; a guide's own file has its addresses replaced. */
const projectFile = () => `apiVersion: planloom/v1
kind: Project
plugins:
  "@planloom/provider-anthropic": { base_url: "${server.url}" }
  "@planloom/provider-openai":
    servers: { ollama: { base_url: "${server.url}/v1" }, openai: { base_url: "${server.url}/v1" } }
`

const keys = { ANTHROPIC_API_KEY: "not-a-real-key", OPENAI_API_KEY: "not-a-real-key" }

const write = async (folder: string, path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text.replaceAll("http://127.0.0.1:8080", server.url))
}

describe.each(pages)("%s", (page) => {
  it("works as written", async () => {
    const { replies, steps } = readGuide(await readFile(join(root, page), "utf8"))
    expect(steps.filter(({ type }) => type === "command")).not.toEqual([])
    server.answer(...(replies as ReadonlyArray<WireAnswer>))
    const folder = await mkdtemp(join(tmpdir(), "guide-"))
    try {
      await trusting(folder)
      await write(folder, "planloom.yaml", projectFile())
      const run = new Map<string, string>()
      for (const step of steps) {
        if (step.type === "file") await write(folder, step.path, step.text)
        else await expectPrinted(step, folder, run)
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** `run` keeps the id of the last run: the ids that a guide shows differ. */
const expectPrinted = async (
  { code, line, printed }: GuideCommand,
  cwd: string,
  run: Map<string, string>,
): Promise<void> => {
  const [command, ...args] = wordsOf(line.replace(/\b[0-9a-f]{8}\b/, () => run.get("id") ?? ""))
  expect(command, `"${line}" runs another program`).toBe("planloom")
  const outcome = await planloom(args, { cwd, env: keys })
  const said = `${outcome.stdout}\n${outcome.stderr}`
  const id = /\b([0-9a-f]{8})-[0-9a-f]{4}-/.exec(said)?.[1]
  if (id !== undefined) run.set("id", id)
  for (const one of printed) {
    const isThere = isPrinted(one.replaceAll(/\b[0-9a-f]{8}(-[0-9a-f-]{27})?\b/g, "…"), said)
    expect(isThere, `$ ${line}\nprints no line like "${one}":\n${said}`).toBe(true)
  }
  expect(outcome.code, `$ ${line}\n${said}`).toBe(code)
}
