/** The conference guide with an embedder: rows are found by their meaning, as its page shows. */
import { hash } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { planloom } from "./planloom.ts"
import { GUIDE, scriptedGuide, type ScriptedGuide } from "./scriptedGuide.ts"

const DIMENSIONS = 64

/** Words of one line mean the same, and nothing else. */
const meanings = [["kubernetes", "containers"], ["hiring", "recruit"], ["knitting"]]

/** A text without any of them is like no other text. */
const vectorOf = (text: string): ReadonlyArray<number> => {
  const meant = meanings.findIndex((words) =>
    words.some((word) => text.toLowerCase().includes(word)),
  )
  const bytes = hash("sha512", text, "buffer")
  return Array.from({ length: DIMENSIONS }, (_, at) =>
    at < meanings.length ? Number(at === meant) : meant < 0 ? bytes[at]! / 127.5 - 1 : 0,
  )
}

const embedder = createServer((request, response) => {
  let body = ""
  request.on("data", (part: Buffer) => (body += part.toString()))
  request.on("end", () => {
    const { input } = JSON.parse(body) as { readonly input: ReadonlyArray<string> }
    response.setHeader("content-type", "application/json")
    response.end(
      JSON.stringify({
        object: "list",
        model: "small",
        data: input.map((text, index) => ({
          object: "embedding",
          index,
          embedding: vectorOf(text),
        })),
        usage: { prompt_tokens: input.length, total_tokens: input.length },
      }),
    )
  })
})

let guide: ScriptedGuide

beforeAll(async () => {
  await new Promise<void>((resolve) => embedder.listen(0, "127.0.0.1", resolve))
  guide = await scriptedGuide()
  const { port } = embedder.address() as AddressInfo
  await write("planloom.yaml", (text) =>
    text.replace(
      "plugins: {",
      `model_facts: [facts.yaml]
plugins: { "@planloom/provider-openai": { servers: { llamacpp: { base_url: "http://127.0.0.1:${port}/v1" } }, embeddings: { server: llamacpp, model: small, dimensions: ${DIMENSIONS} } },`,
    ),
  )
  await write(
    "facts.yaml",
    () =>
      `apiVersion: planloom/v1\nkind: Models\nmodels: { llamacpp/small: { price: { input: 0, output: 0 } } }\n`,
  )
  await write(GUIDE, (text) =>
    text
      .replaceAll("facets: [day] }", "facets: [day], embedder: openai }")
      .replace("plugins: [", 'plugins: ["@planloom/provider-openai", '),
  )
})
afterAll(async () => {
  embedder.close()
  await guide[Symbol.asyncDispose]()
})

const write = async (path: string, change: (text: string) => string) => {
  const file = join(guide.cwd, path)
  await writeFile(file, change(await readFile(file, "utf8").catch(() => "")))
}

const asked = (message: string) =>
  planloom(["run", GUIDE, "--set", "models.planner.try=[]", "--input", `message=${message}`], guide)

it("finds rows in other words than theirs, and still says honestly what no row means", async () => {
  const synced = await planloom(["documents", "sync", "--yes"], guide)
  expect(synced.stdout).toContain("120 of 120 passages have a vector")
  expect((await asked("containers")).stdout).toMatch(/^- Kubernetes in practice/m)
  expect((await asked("Who can recruit people for me?")).stdout).toMatch(/Hiring/)
  expect((await asked("What about containers on Thursday?")).stdout).not.toMatch(
    /Tuesday|Wednesday/,
  )
  const knitting = await asked("knitting")
  expect(knitting.stdout).toMatch(/^I found nothing on this at the conference\./)
  await new Promise((resolve) => {
    embedder.close(resolve)
    embedder.closeAllConnections()
  })
  const away = await asked("containers")
  expect(away.stdout).toMatch(/^I found nothing on this at the conference\./)
  expect(away.stderr).toMatch(/degraded: 2 stages searched by words alone/)
}, 120_000)
