/** Every guide of the documentation, executed: its files are written and checked, its commands print what it shows. */
import { execFile } from "node:child_process"
import { globSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { wireServer, type WireAnswer, type WireServer } from "@planloom/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse, stringify } from "yaml"
import { bundledPlugins } from "../src/project/bundledPlugins.ts"
import { neededPackages } from "../src/project/optionalPackages.ts"
import { isPrinted, readGuide, wordsOf, type Guide, type GuideCommand } from "./guide.ts"
import { planloom, serve, trusting, type Outcome, type Server } from "./planloom.ts"

const root = join(import.meta.dirname, "../../../..")
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

interface Place {
  readonly folder: string
  /** Port of the HTTP API that the guide calls. */
  readonly api: string
  /** What the guide serves. */
  served: Server | undefined
}

describe.each(pages)("%s", (page) => {
  // The package of a new plugin lists what it needs.
  it.skipIf(page.endsWith("publish_a_plugin.md"))(
    "names the packages that it needs beside the command",
    async () => {
      const text = await readFile(join(root, page), "utf8")
      const installed = [...text.matchAll(/npm install ([^`\n]+)/g)].flatMap(([, names]) =>
        names!.split(" "),
      )
      const plugins = [...new Set(text.match(/@planloom\/[a-z-]+(?=["'/])/g))]
      const packages = plugins.flatMap(
        (plugin) => neededPackages[plugin] ?? (plugin in bundledPlugins ? [] : [plugin]),
      )
      expect(installed).toEqual(expect.arrayContaining(packages))
    },
  )

  it("works as written", async () => {
    const { api, replies, steps } = readGuide(await readFile(join(root, page), "utf8"))
    expect(steps.filter(({ type }) => type === "command")).not.toEqual([])
    server.answer(...(replies as ReadonlyArray<WireAnswer>))
    const folder = await mkdtemp(join(tmpdir(), "guide-"))
    await using called = await serveApi(api)
    const place: Place = { folder, api: called.port, served: undefined }
    try {
      await trusting(folder)
      // Plugins of the guide import the contract as in a project that has installed it.
      await symlink(join(root, "packages/hosts/cli/node_modules"), join(folder, "node_modules"))
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
      await place.served?.stop("SIGINT")
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
  const listening = createServer(({ method, url }, response) => {
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

/** The ids that a guide shows stand for the last run. */
const expectPrinted = async (
  { code, line, printed }: GuideCommand,
  place: Place,
): Promise<void> => {
  const cwd = place.folder
  const id = /\b[0-9a-f]{8}\b/.test(line) ? await lastRun(cwd) : ""
  const port = place.served === undefined ? USUAL_PORT : new URL(place.served.url).port
  const [command, ...args] = wordsOf(
    line.replace(/\b[0-9a-f]{8}\b/, id).replaceAll(USUAL_PORT, port),
  )
  if (args[0] === "serve" && args.at(-1) === "&") {
    place.served = await serve(args.slice(1, -1), { cwd, env: keys })
    return
  }
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
