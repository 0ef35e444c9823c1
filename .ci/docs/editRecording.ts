/** What `planloom dev` shows after the edit of the first tutorial, with scripted replies in place of the model. */
import assert from "node:assert/strict"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { CallMemory } from "../../packages/hosts/cli/src/dev/loop/CallMemory.ts"
import { compareRuns } from "../../packages/hosts/cli/src/dev/loop/compareRuns.ts"
import { runEdit } from "../../packages/hosts/cli/src/dev/loop/runEdit.ts"
import { load } from "../../packages/engine/embed/src/index.ts"
import { definePlugin } from "@planloom/plugin/effect"
import { scriptedProvider } from "../../packages/testing/testing/src/index.ts"
import * as Effect from "effect/Effect"
import { editText } from "../../packages/hosts/cli/src/dev/editText.ts"
import { bundledPlugins } from "../../packages/hosts/cli/src/project/bundledPlugins.ts"
import { codeBlocks } from "./codeBlocks.ts"
import { styleOf, type Style } from "../../packages/hosts/cli/src/terminal/Style.ts"

const page = join(import.meta.dirname, "../../docs/tutorials/first_workflow.md")

const message = "The lamp arrived broken. I want my money back."
const sorry = "We are sorry that the lamp arrived broken. Your money is on its way back."
const script = [
  { json: { label: "refund" }, usage: { input: 48, output: 8 }, delay: 110 },
  { text: sorry, usage: { input: 55, output: 19 }, delay: 110 },
  { text: `${sorry}\n\nAda`, usage: { input: 61, output: 22 }, delay: 140 },
]

/** The plugins of the command, with the script instead of a model. */
const withScript = () => {
  const model = scriptedProvider({ "qwen3:1.7b": script }, { id: "ollama" })
  return {
    ...bundledPlugins,
    "@planloom/provider-openai": async () =>
      definePlugin({
        id: "scripted",
        summary: "Replies of a model.",
        components: { providers: [model] },
      }),
  }
}

/** Runs the workflow of the page before and after its edit; what is printed has at most `width` cells a line. */
export const editRecording = async (
  style: Style = styleOf(false),
  width = 99,
): Promise<{
  readonly command: string
  readonly printed: string
}> => {
  const text = await readFile(page, "utf8")
  const blocks = (language: string) =>
    codeBlocks(text).flatMap((block) => (block.language === language ? [block.text] : []))
  const [workflow] = blocks("yaml")
  const [rules, voice, edited] = blocks("markdown")
  assert(workflow !== undefined && edited !== undefined, "the tutorial shows no edit of a prompt")
  const folder = await mkdtemp(join(tmpdir(), "planloom-recording-"))
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  try {
    await write("workflows/triage.yaml", workflow)
    await write("prompts/rules.md", rules!)
    await write("prompts/voice.md", voice!)
    const memory = new CallMemory()
    const run = runWith(folder, memory)
    const before = await run()
    await write("prompts/voice.md", edited)
    const now = await run()
    const edit = {
      workflow: "triage",
      number: 2,
      saved: ["prompts/voice.md"],
      result: now.result,
      stages: compareRuns(before, now).map((one) => ({
        ...one,
        parts: one.parts.map((part) => ({
          ...part,
          source: part.source?.replace(`${folder}/`, ""),
        })),
      })),
      ms: { load: 0, run: now.ms },
    }
    return {
      command: `planloom dev triage --input message="${message}"`,
      printed: editText(edit, { style, width, lines: 8 }),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const runWith = (folder: string, memory: CallMemory) => {
  const plugins = withScript()
  const once = Effect.scoped(
    Effect.gen(function* () {
      const loaded = yield* load(join(folder, "workflows/triage.yaml"), { plugins })
      const options = {
        memory,
        answers: new Map(),
        code: "",
        version: () => "",
        mayWrite: () => Effect.succeed(false),
      }
      return yield* runEdit(loaded, { message }, options, new Map(), [])
    }),
  )
  return () => Effect.runPromise(once)
}
