/** An answer of `cite` while it is written: it arrives in parts, and no part shows a citation of nothing. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import { definePlugin, type Part, type Provider, type RunEvent } from "@planloom/plugin/effect"
import shadow from "@planloom/shadow"
import stages from "@planloom/stages"
import validators from "@planloom/validators"
import plugin from "../src/index.ts"

let folder: string
let replies: Array<string>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cite-parts-"))
  mkdirSync(join(folder, "papers"))
  writeFileSync(join(folder, "papers/a.md"), "# Refunds\n\nRefunds take five working days.\n")
  replies = []
})

afterEach(() => rmSync(folder, { recursive: true }))

const provider: Provider = {
  id: "writer",
  summary: "Writes some characters at a time.",
  stream: () => {
    const text = replies.shift() ?? ""
    return Stream.make(
      ...(text.match(/[^]{1,3}/g) ?? []).map((piece) => ({ type: "text" as const, text: piece })),
      { type: "finish" as const, reason: "stop" as const, usage: { input: 1, output: 2 } },
    ).pipe(Stream.rechunk(1))
  },
}

const answer = async (more = "", options = "") => {
  const path = join(folder, "ask.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: ask
use: { plugins: ["@planloom/stages", "@planloom/documents", "@planloom/shadow", "@planloom/validators", writer] }
libraries: { papers: { folder: papers } }
${more}
stages:
  - { id: search, uses: search, with: { queries: [refunds] } }
  - { id: answer, uses: cite, model: writer/any, with: { question: "How long?", search: "\${{ stages.search.output }}"${options} } }
outputs: { answer: { type: string, stream: true, value: "\${{ stages.answer.output.text }}" } }
`,
  )
  const plugins = {
    "@planloom/stages": async () => stages,
    "@planloom/documents": async () => plugin,
    "@planloom/shadow": async () => shadow,
    "@planloom/validators": async () => validators,
    writer: async () =>
      definePlugin({ id: "writer", summary: "W.", components: { providers: [provider] } }),
  }
  const parts: Array<Part> = []
  const events: Array<RunEvent> = []
  const result = await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(load(path, { plugins }), ({ pipeline }) =>
        Effect.catchTag(
          run(
            pipeline,
            {},
            {
              onPart: (part) => void parts.push(part),
              onEvent: (event) => void events.push(event),
            },
          ),
          "RunFailed",
          (failed) => Effect.succeed(failed.result),
        ),
      ),
    ),
  )
  const texts = [""]
  for (const part of parts) {
    if (part.type === "reset") texts.push("")
    if (part.type === "text") texts.push(texts.pop()! + part.text)
  }
  return { result, events, parts, texts, text: result.outputs["answer"] as string }
}

const SOURCES = "\n\nSources:\n[1] a.md:1–3 (Refunds)"

describe("an answer with citations", () => {
  it("arrives in parts, with its sources at the end", async () => {
    replies = ["Five working days. [1]"]
    const { parts, text, texts } = await answer()
    expect(text).toBe(`Five working days. [1]${SOURCES}`)
    expect(texts).toEqual([text])
    expect(parts.filter(({ type }) => type === "text").length).toBeGreaterThan(5)
    // A citation leaves as a whole.
    expect(parts.some((part) => part.type === "text" && part.text.endsWith("[1]"))).toBe(true)
    expect(parts.some((part) => part.type === "text" && part.text.endsWith("["))).toBe(false)
  })

  it("shows no invented citation at any moment, of a refused reply nor of the last one", async () => {
    replies = ["Five days [7]. Or six.", "Five working days [1, 8], or six [9]."]
    const { result, text, texts } = await answer()
    expect(text).toBe(`Five working days [1], or six.${SOURCES}`)
    expect(texts).toEqual(["Five days. Or six.", text])
    expect(result.status).toBe("succeeded")
  })

  it("does so behind a gate, which reads the reply as it was written", async () => {
    replies = ["Five days [7].", "Write to me@example.com in five days [1] [8]."]
    const gate = "shadow: { gate: [{ use: pii, with: { action: replace } }] }"
    const { text, texts } = await answer(gate)
    expect(text).not.toContain("me@example.com")
    expect(text).toMatch(/in five days \[1\]\.\n\nSources:/)
    for (const shown of texts) {
      expect(shown).not.toMatch(/\[[78]\]/)
      expect(shown).not.toContain("me@")
    }
    expect(texts.at(-1)).toBe(text)
  })

  it("has numbers of no passage flagged by the validator numbers, and no others", async () => {
    const flagged = async (reply: string) => {
      replies = [reply]
      const { events } = await answer("shadow: { gate: [numbers] }")
      return events.some((event) => event.type === "Reviewed" && event.verdict === "flag")
    }
    writeFileSync(join(folder, "papers/b.md"), "# Fees\n\nRefunds of 4711 cents take 30 days.\n")
    expect(await flagged("They take 77 days [1].")).toBe(true)
    expect(await flagged("They take 30 days, for 4,711 cents [1].")).toBe(false)
  })

  it("fails, with nothing invented shown, where that is wanted", async () => {
    replies = ["Five days [7]."]
    const { parts, result, texts } = await answer("", ", on_unknown: fail, corrections: 0")
    expect(result.status).toBe("failed")
    expect(texts).toEqual(["Five days."])
    expect(parts.some(({ type }) => type === "settled")).toBe(false)
  })
})
