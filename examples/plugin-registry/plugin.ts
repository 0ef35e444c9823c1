/** A plugin that adds a kind of file, a section of workflows, a key of stages, and an event. */
import { definePlugin, eventKind, fileKind, sectionKind, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"

interface Tones {
  readonly tones: { readonly [name: string]: { readonly greeting: string } }
}

const tones = fileKind<Tones>({
  kind: "Tones",
  summary: "Tones of voice by name.",
  schema: {
    type: "object",
    required: ["tones"],
    properties: {
      tones: {
        type: "object",
        description: "By name.",
        additionalProperties: {
          type: "object",
          required: ["greeting"],
          properties: { greeting: { type: "string", minLength: 1 } },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
})

/** The tones of all files that a workflow uses. */
const among = (files: ReadonlyArray<unknown>): Tones["tones"] =>
  Object.assign({}, ...(files as ReadonlyArray<Tones>).map((file) => file.tones)) as Tones["tones"]

const tone = sectionKind<{ readonly use: string }>({
  on: "workflow",
  key: "tone",
  summary: "The tone of voice of the workflow.",
  schema: {
    type: "object",
    required: ["use"],
    properties: { use: { type: "string", format: "name", description: "A name of a Tones file." } },
    additionalProperties: false,
  },
  check: ({ use }, known) => {
    const names = Object.keys(among(known.files("Tones")))
    return names.includes(use)
      ? []
      : [
          {
            code: "TONE01",
            message: `there is no tone "${use}"`,
            at: ["use"],
            fix:
              names.length === 0
                ? "add a file of kind Tones under use: { files: [...] }"
                : `there are: ${names.join(", ")}`,
          },
        ]
  },
  variables: () => ({ greeting: { type: "string" } }),
  bind: ({ use }, known) => ({
    variables: () => Effect.succeed({ greeting: among(known.files("Tones"))[use]!.greeting }),
  }),
})

const marks = { calm: ".", loud: "!" }

const voice = sectionKind<keyof typeof marks>({
  on: "stage",
  key: "voice",
  summary: "How loud a stage speaks.",
  schema: { enum: Object.keys(marks) },
  variables: () => ({ mark: { type: "string" } }),
  bind: (loudness) => ({ variables: () => Effect.succeed({ mark: marks[loudness] }) }),
})

const spoken = eventKind<{ readonly text: string }>({
  name: "tones/spoken",
  summary: "A stage has said something.",
  audience: "user",
  schema: {
    type: "object",
    required: ["text"],
    properties: { text: { type: "string" } },
    additionalProperties: false,
  },
  render: ({ text }) => `said “${text}”`,
})

const speak = stageKind<{ readonly text: string }>({
  id: "speak",
  summary: "Says a text.",
  input: {
    type: "object",
    required: ["text"],
    properties: { text: { type: "string" } },
    additionalProperties: false,
  },
  output: { type: "string" },
  run: ({ text }, { note }) => Effect.as(note("tones/spoken", { text }), text),
})

export default definePlugin({
  id: "tones",
  summary: "Tones of voice.",
  components: {
    fileKinds: [tones],
    sections: [tone, voice],
    events: [spoken],
    stages: [speak],
  },
})
