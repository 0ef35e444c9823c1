/** Every guide of the documentation, executed: its files are written and checked, its commands print what it shows. */
import { execFile } from "node:child_process"
import { globSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { createServer as createHttpServer } from "node:http"
import { createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { wireServer, type WireAnswer, type WireServer } from "@planloom/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse, stringify } from "yaml"
import { isPrinted, readGuide, wordsOf, type Guide, type GuideCommand } from "./guide.ts"
import { planloom, trusting, type Outcome } from "./planloom.ts"

const root = join(import.meta.dirname, "../../..")
// The first tutorial is a session at a terminal, which tutorials.test.ts plays.
const pages = globSync("docs/{how-to,tutorials}/*.md", { cwd: root }).filter(
  (page) => !/(?:README|first_workflow)\.md$/.test(page),
)

let server: WireServer

beforeAll(async () => {
  server = await wireServer()
})

afterAll(() => server.close())

/** Sends every provider to the scripted model. */
const projectFile = () => `apiVersion: planloom/v1
kind: Project
plugins:
  "@planloom/provider-anthropic": { base_url: "${server.url}" }
  "@planloom/provider-openai":
    servers: { ollama: { base_url: "${server.url}/v1" }, openai: { base_url: "${server.url}/v1" } }
`

const keys = { ANTHROPIC_API_KEY: "not-a-real-key", OPENAI_API_KEY: "not-a-real-key" }

/** The folder of a guide, a free port in place of the usual one, and what ends its servers. */
interface Place {
  readonly folder: string
  readonly port: string
  /** Of the HTTP API that the guide calls. */
  readonly api: string
  readonly running: Array<{ readonly stop: () => void; readonly ended: Promise<Outcome> }>
}

describe.each(pages)("%s", (page) => {
  it("works as written", async () => {
    const { api, replies, steps } = readGuide(await readFile(join(root, page), "utf8"))
    expect(steps.filter(({ type }) => type === "command")).not.toEqual([])
    server.answer(...(replies as ReadonlyArray<WireAnswer>))
    const folder = await mkdtemp(join(tmpdir(), "guide-"))
    await using served = await serveApi(api)
    const place: Place = { folder, port: await freePort(), api: served.port, running: [] }
    try {
      await trusting(folder)
      // Plugins of the guide import the contract as in a project that has installed it.
      await symlink(join(root, "packages/cli/node_modules"), join(folder, "node_modules"))
      await write(folder, "planloom.yaml", projectFile())
      for (const step of steps) {
        if (step.type === "file") {
          const text = step.text.replaceAll(USUAL_API_PORT, place.api)
          await write(folder, step.path, step.path === "planloom.yaml" ? merged(text) : text)
        } else await expectPrinted(step, place)
      }
      const checked = await planloom(["check", "--max-warnings", "0"], { cwd: folder, env: keys })
      expect(checked.stdout + checked.stderr).toContain("no problems")
    } finally {
      for (const { stop } of place.running) stop()
      await Promise.all(place.running.map(({ ended }) => ended))
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** The project file of a guide, whose providers are those of the scripted model. */
const merged = (text: string): string => {
  const own = parse(text) as { readonly plugins?: object }
  const { plugins } = parse(projectFile()) as { readonly plugins: object }
  return stringify({ ...own, plugins: { ...plugins, ...own.plugins } })
}

const write = async (folder: string, path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

const USUAL_PORT = "8787"
const USUAL_API_PORT = "9000"

const serveApi = async (answers: Guide["api"]) => {
  const listening = createHttpServer(({ method, url }, response) => {
    const found = answers.find((one) => one.path === url && (one.method ?? "GET") === method)
    response.writeHead(found ? 200 : 404, { "content-type": "application/json" })
    response.end(JSON.stringify(found?.json ?? {}))
  })
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve))
  return {
    port: String((listening.address() as AddressInfo).port),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        listening.close(() => resolve())
        listening.closeAllConnections()
      }),
  }
}

const freePort = async (): Promise<string> => {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return String(port)
}

/** The ids that a guide shows stand for the last run. */
const expectPrinted = async (
  { code, line, printed }: GuideCommand,
  place: Place,
): Promise<void> => {
  const cwd = place.folder
  const id = /\b[0-9a-f]{8}\b/.test(line) ? await lastRun(cwd) : ""
  const [command, ...args] = wordsOf(
    line.replace(/\b[0-9a-f]{8}\b/, id).replaceAll(USUAL_PORT, place.port),
  )
  if (args.at(-1) === "&") return await startServer(args.slice(0, -1), place)
  const outcome = command === "curl" ? await curl(args) : await planloom(args, { cwd, env: keys })
  expect(["planloom", "curl"], `"${line}" runs another program`).toContain(command)
  const said = `${outcome.stdout}\n${outcome.stderr}`
  for (const one of printed) {
    const isThere = isPrinted(one.replaceAll(/\b[0-9a-f]{8}(-[0-9a-f-]{27})?\b/g, "…"), said)
    expect(isThere, `$ ${line}\nprints no line like "${one}":\n${said}`).toBe(true)
  }
  expect(outcome.code, `$ ${line}\n${said}`).toBe(code)
}

const lastRun = async (cwd: string): Promise<string> => {
  const { stdout } = await planloom(["runs", "list", "--json"], { cwd })
  return (JSON.parse(stdout) as ReadonlyArray<{ readonly run: string }>)[0]!.run
}

const curl = async (args: ReadonlyArray<string>): Promise<Outcome> => {
  const { stderr, stdout } = await promisify(execFile)("curl", args)
  return { code: 0, stdout, stderr }
}

/** Resolves when the server accepts connections, or throws when it ends before. */
const startServer = async (
  args: ReadonlyArray<string>,
  { folder: cwd, port, running }: Place,
): Promise<void> => {
  const { promise: interruptAfter, resolve: stop } = Promise.withResolvers<void>()
  const ended = planloom([...args, "--port", port], { cwd, env: keys, interruptAfter })
  running.push({ stop, ended })
  let hasEnded = false
  void ended.finally(() => (hasEnded = true))
  while (!(await isUp(port))) {
    if (hasEnded) throw new Error((await ended).stderr)
  }
}

const isUp = async (port: string): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health`)).ok
  } catch {
    return false
  }
}
