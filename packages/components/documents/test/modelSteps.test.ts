/** Stages of a model around a search, as the page on libraries shows them: one words the question anew, one orders what is found. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { emptyRecording, recordingJournal, run } from "@planloom/core"
import { load } from "@planloom/embed"
import {
  definePlugin,
  ModelFailed,
  type Json,
  type ModelRequest,
  type Provider,
} from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import plugin from "../src/index.ts"

const page = readFileSync(new URL("../../../../docs/libraries.md", import.meta.url), "utf8")

/** The workflow of the page that has a stage, with a scripted model. */
const shown = (stage: string): string => {
  const blocks = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => text!)
  const found = blocks.find((text) => text.includes(`id: ${stage}`))!
  const mine = found
    .replaceAll("ollama/qwen3", "scripted/one")
    .replace('"@planloom/provider-openai"', "scripted")
    .replaceAll("../papers", "papers")
  return `apiVersion: planloom/v1\nkind: Workflow\nname: ask\n${mine}`
}

let folder: string
/** The reply to a step that returns JSON; undefined while the model is away. */
let step: (text: string) => Json | undefined
let asked: Array<string>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "model-steps-"))
  mkdirSync(join(folder, "papers"))
  const write = (name: string, text: string) => writeFileSync(join(folder, "papers", name), text)
  write("images.md", "# Images\n\nImages are PNG or JPEG, up to 5 MB each.\n")
  write("harbor.md", "# Harbor\n\nImages of the harbor, as PNG images.\n")
  asked = []
})

afterEach(() => rmSync(folder, { recursive: true }))

type Case = readonly [name: string, reply: (text: string) => Json | undefined]

const textOf = ({ messages, system }: ModelRequest): string => JSON.stringify([system, messages])

const away = (model: string) =>
  new ModelFailed({ class: "invalid_request", model, message: "it is away" })

const provider: Provider = {
  id: "scripted",
  summary: "Replies by script.",
  stream: (request) => {
    const text = textOf(request)
    asked.push(text)
    const isStep = request.output !== undefined
    const made = isStep ? step(text) : null
    if (made === undefined) return Stream.fail(away(request.model))
    return Stream.make(
      { type: "text" as const, text: isStep ? JSON.stringify(made) : "As it says. [1]" },
      { type: "finish" as const, reason: "stop" as const, usage: { input: 1, output: 1 } },
    )
  },
}

const plugins = {
  "@planloom/stages": async () => stages,
  "@planloom/documents": async () => plugin,
  scripted: async () =>
    definePlugin({ id: "scripted", summary: "S.", components: { providers: [provider] } }),
}

const answer = async (stage: string, question: string, recording = emptyRecording()) => {
  const path = join(folder, "ask.yaml")
  writeFileSync(path, shown(stage))
  const result = await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(load(path, { plugins }), ({ pipeline }) =>
        run(pipeline, { question }, { journal: recordingJournal(recording) }),
      ),
    ),
  )
  return { text: String(result.outputs["answer"]), result }
}

const found = (path: string, heading: string) =>
  `As it says. [1]\n\nSources:\n[1] ${path}:1–3 (${heading})`

describe("a model that words the question anew", () => {
  const QUESTION = "which photo formats are allowed"

  it("finds what the question says in other words", async () => {
    step = () => ({ wordings: ["images png jpeg", "image size in MB"] })
    expect((await answer("reword", QUESTION)).text).toBe(found("images.md", "Images"))
  })

  it.each<Case>([
    ["is away", () => undefined],
    ["gives no wording", () => ({ wordings: [] })],
    ["gives more wordings than a query takes", () => ({ wordings: Array(9).fill("images png") })],
    ["gives something else", () => "no idea"],
  ])("leaves the search by the question alone where it %s", async (_, reply) => {
    step = reply
    const { text } = await answer("reword", QUESTION)
    expect(text).toMatch(/^I found nothing about this in the documents\./)
    expect(text).toContain('"photo"')
  })
})

describe("a model that orders what is found", () => {
  const QUESTION = "images png"
  const idsOf = (text: string) => [...new Set(text.match(/\b[0-9a-f]{16}\b/g))]

  const first = async () => (await answer("order", QUESTION)).text

  it("decides which passage is the first of an answer", async () => {
    step = (text) => ({ ids: idsOf(text) })
    const before = await first()
    step = (text) => ({ ids: idsOf(text).toReversed() })
    const after = await first()
    expect([before, after].toSorted()).toEqual([
      found("harbor.md", "Harbor"),
      found("images.md", "Images"),
    ])
  })

  it.each<Case>([
    ["is away", () => undefined],
    ["gives ids that were not found", () => ({ ids: ["0123456789abcdef", "../images.md", ""] })],
    ["gives no ids", () => ({ ids: [] })],
  ])("leaves the order of the search where it %s", async (_, reply) => {
    step = (text) => ({ ids: idsOf(text) })
    const ranked = await first()
    step = reply
    expect(await first()).toBe(ranked)
  })

  it("is not asked again by a run that continues from its record", async () => {
    step = (text) => ({ ids: idsOf(text).toReversed() })
    const recording = emptyRecording()
    const { text } = await answer("order", QUESTION, recording)
    const calls = asked.length
    expect(calls).toBe(2)
    expect((await answer("order", QUESTION, recording)).text).toBe(text)
    expect(asked).toHaveLength(calls)
  })
})
