/** Worlds that examples of keys share, and the short form in which the examples are written. */
import { fromYaml } from "@planloom/language"
import { isObject } from "@planloom/schema"
import { stageKind, type Json, type JsonObject } from "@planloom/plugin/effect"
import type { ScriptedReply } from "@planloom/testing"
import * as Effect from "effect/Effect"
import { Default, type KeyExample } from "./KeyExample.ts"
import type { World } from "./World.ts"

/** YAML → a mapping. */
export const mapping = (text: string): JsonObject => {
  const value = fromYaml(text)
  if (!isObject(value as Json)) throw new Error(`not a mapping: ${text}`)
  return value as JsonObject
}

/** A world whose workflow is `body` with a header. */
export const flow = (body: string, more: Partial<World> = {}): World => ({
  ...more,
  files: {
    "flow.yaml": { apiVersion: "planloom/v1", kind: "Workflow", name: "flow", ...mapping(body) },
    ...more.files,
  },
})

/** A file with its header. */
export const file = (kind: string, body: string): JsonObject => ({
  apiVersion: "planloom/v1",
  kind,
  ...mapping(body),
})

export const many = (reply: ScriptedReply, count = 12): ReadonlyArray<ScriptedReply> =>
  Array.from({ length: count }, () => reply)

type Row =
  | readonly [name: string, one: Json, other: Json | Default]
  | readonly [name: string, at: string, one: Json, other: Json | Default]

/** The value of a key that is not written; without it, the key has only one value. */
export const byDefault = (value?: Json): Default => new Default(value)

/** Examples of keys of one mapping: it stands at `at`, unless a row says where its key stands. */
export const examples = (
  {
    at = "",
    file: path,
    owner,
    world,
  }: {
    readonly owner: string
    readonly world: World
    readonly at?: string
    readonly file?: string
  },
  rows: ReadonlyArray<Row>,
): ReadonlyArray<KeyExample> =>
  rows.map((row): KeyExample => {
    const [name] = row
    const [place, one, other] =
      row.length === 4
        ? [row[1], row[2], row[3]]
        : ([at === "" ? name : `${at}.${name}`, row[1], row[2]] as const)
    return {
      key: `${owner}.${name}`,
      world,
      at: place,
      with: one,
      other,
      ...(path === undefined ? {} : { file: path }),
    }
  })

/** Notes what a stage can reach. */
export const look = stageKind<object>({
  id: "look",
  summary: "Notes what it can reach.",
  input: { type: "object", additionalProperties: false, properties: {} },
  output: true,
  run: (_, { domains, tools, user }) =>
    Effect.succeed({
      domains: domains.map(({ id }) => id),
      tools: tools as unknown as Json,
      user,
    }),
})

export const looking = { components: () => ({ stages: [look] }) }

/** Asks a model once. */
export const asking = (more = "", stage = "", options: Partial<World> = {}): World =>
  flow(
    `${more}
stages:
  - { id: ask, uses: generate, with: { task: "Say something about \${{ 'tea' }}." }${stage} }
outputs: { said: { value: "\${{ stages.ask.output }}" } }`,
    { replies: many({ text: "tea is hot", usage: { input: 100, output: 20 } }), ...options },
  )
