/** Images of files in the messages of a stage. */
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { stageKind, type Content, type Provider } from "@planloom/plugin/effect"
import { collect } from "../../test/collect.ts"
import { workflowOf } from "../../test/inline.ts"
import { emptyRecording, recordingJournal } from "../run/journal/journals.ts"

const folder = mkdtempSync(join(tmpdir(), "planloom-images-"))
const root = join(folder, "project")
mkdirSync(root)
afterAll(() => rmSync(folder, { recursive: true }))

const png = Buffer.from("\x89PNG\r\n\x1A\n a picture", "latin1")
const file = (name: string, bytes: Uint8Array | string) => {
  const path = join(root, name)
  writeFileSync(path, bytes)
  return path
}

const look = stageKind<{ readonly file: string }>({
  id: "look",
  summary: "Asks about an image.",
  input: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
  output: { type: "string" },
  model: ({ file: path }, { image, model }) =>
    Effect.flatMap(image(path), (content) =>
      Effect.map(
        model.text({ messages: [{ role: "user", content: [content] }] }),
        ({ text }) => text,
      ),
    ),
})

/** Runs the stage on a file, and gives the images that the provider received. */
const looked = (path: string, recording = emptyRecording()) =>
  Effect.gen(function* () {
    const sent: Array<Content> = []
    const provider: Provider = {
      id: "seeing",
      summary: "Keeps the images that it receives.",
      available: Effect.succeed(true),
      generate: ({ messages }) =>
        Effect.sync(() => {
          for (const { content } of messages) if (Array.isArray(content)) sent.push(...content)
          return {
            text: "a picture",
            reasoning: "",
            toolCalls: [],
            finish: "stop" as const,
            usage: { input: 1, output: 1 },
          }
        }),
    }
    const { pipeline } = yield* workflowOf(
      `inputs: { file: { type: string } }
stages: [{ id: look, uses: look, model: seeing/one, with: { file: "\${{ inputs.file }}" } }]
outputs: { text: { type: string, value: "\${{ stages.look.output }}" } }
`,
      { stages: [look], providers: [provider] },
    )
    const { result } = yield* collect(
      { ...pipeline, roots: [root] },
      { file: path },
      { run: "one", journal: recordingJournal(recording) },
    )
    const [failure] = Object.values(result.stages).flatMap((stage) => stage.failure ?? [])
    return { sent, text: result.outputs["text"], failure }
  }).pipe(Effect.scoped)

describe("an image in a file", () => {
  it.effect("is sent as its data, and recorded as its digest", () =>
    Effect.gen(function* () {
      const path = file("a.dat", png)
      const recording = emptyRecording()
      const { sent, text } = yield* looked(path, recording)
      assert.strictEqual(text, "a picture")
      assert.deepStrictEqual(sent, [
        { type: "image", mediaType: "image/png", data: png.toString("base64") },
      ])
      const steps = JSON.stringify([...recording.steps])
      assert.include(steps, createHash("sha256").update(png).digest("hex"))
      assert.notInclude(steps, png.toString("base64"))
    }),
  )

  it.effect("of a relative path is looked up in the roots", () =>
    Effect.gen(function* () {
      file("relative.png", png)
      assert.lengthOf((yield* looked("relative.png")).sent, 1)
    }),
  )

  it.effect("is not read again for a recorded reply, also once it is gone", () =>
    Effect.gen(function* () {
      const path = file("gone.png", png)
      const recording = emptyRecording()
      yield* looked(path, recording)
      rmSync(path)
      // As after a kill between the reply and the end of its attempt.
      recording.steps.delete("look/model:1")
      const again = yield* looked(path, recording)
      assert.deepStrictEqual([again.sent, again.text], [[], "a picture"])
    }),
  )

  it.effect("that has changed since it was recorded fails a new request", () =>
    Effect.gen(function* () {
      const path = file("changed.png", png)
      const recording = emptyRecording()
      yield* looked(path, recording)
      for (const name of recording.steps.keys()) {
        if (!name.includes("/image:")) recording.steps.delete(name)
      }
      writeFileSync(path, Buffer.concat([png, png]))
      const { failure, sent } = yield* looked(path, recording)
      assert.lengthOf(sent, 0)
      assert.strictEqual(failure?.class, "invalid_request")
      assert.include(failure?.message, "changed.png has changed since this run read it")
    }),
  )

  const outside = join(folder, "outside.png")
  writeFileSync(outside, png)
  symlinkSync(outside, join(root, "link.png"))
  mkdirSync(join(root, "folder.png"))
  const large = Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)])

  const refused: ReadonlyArray<readonly [string, () => string, string]> = [
    ["a file outside the roots", () => outside, "outside the folders that this run may read"],
    ["a link that leads outside", () => join(root, "link.png"), "outside the folders"],
    ["a missing file", () => join(root, "missing.png"), "ENOENT"],
    ["a folder", () => join(root, "folder.png"), "not a regular file"],
    ["a text", () => file("notes.png", "only text"), "not a PNG, JPEG, WebP or GIF image"],
    [
      "a large file",
      () => file("large.png", large),
      "has 5242898 bytes; an image can have 5242880",
    ],
    ["a name that is no path", () => "\0", "outside the folders"],
  ]

  it.effect.each(refused)("fails for %s, which is not sent", ([, path, message]) =>
    Effect.gen(function* () {
      const { failure, sent } = yield* looked(path())
      assert.lengthOf(sent, 0)
      assert.strictEqual(failure?.class, "invalid_request")
      assert.include(failure?.message, message)
    }),
  )

  it.effect.each([
    ["JPEG", "image/jpeg", "\xFF\xD8\xFF\xE0"],
    ["GIF", "image/gif", "GIF89a"],
    ["WebP", "image/webp", "RIFF\0\0\0\0WEBPVP8 "],
  ] as const)("of type %s is recognized by its first bytes", ([name, mediaType, head]) =>
    Effect.gen(function* () {
      const { sent } = yield* looked(file(`${name}.png`, Buffer.from(head, "latin1")))
      assert.deepInclude(sent[0], { mediaType })
    }),
  )
})
