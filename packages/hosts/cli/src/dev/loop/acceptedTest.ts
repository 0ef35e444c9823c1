/** A run of the edit loop → a test of its workflow: the replies of its models as a script, and its outputs as expectations. */
import {
  isCut,
  type Json,
  type JsonObject,
  type ModelReply,
  type ModelRequest,
} from "@planloom/plugin/effect"
import { lastOf } from "@planloom/plugin/segments"
import type { MadeCall } from "./CallMemory.ts"
import type { EditRun } from "./runEdit.ts"

/** How the workflow is read, and who the run is for. */
export type TestSettings = {
  readonly [key in "user" | "set" | "env" | "flags"]?: Json | undefined
}

export interface AcceptedTest {
  readonly name: string
  readonly given: JsonObject
  readonly expect: JsonObject
}

/** Characters of a text that a test compares as a whole; of a longer one it compares the start. */
const MAX_WHOLE = 400
const START = 200

/** `stubs` selects the tools whose results are part of the test; the others run in it. */
export const acceptedTest = (
  { calls, events, inputs, result }: EditRun,
  settings: TestSettings,
  stubs: (tool: string) => boolean,
): AcceptedTest => {
  const models = scriptsOf(calls)
  const tools = stubsOf(calls, stubs)
  const answers = events.flatMap((event): ReadonlyArray<Json> =>
    event.type === "Answered" && event.by === "person"
      ? [{ name: event.name, value: event.value }]
      : [],
  )
  return {
    name: testName(inputs),
    given: {
      inputs,
      ...withoutUndefined(settings),
      ...(Object.keys(models).length === 0 ? {} : { models }),
      ...(Object.keys(tools).length === 0 ? {} : { tools }),
      ...(answers.length === 0 ? {} : { answers }),
    },
    expect: {
      ...(result.status === "succeeded" ? {} : { status: result.status }),
      assert: expectations(result.status === "succeeded" ? result.outputs : {}),
    },
  }
}

/** One test for the same inputs: accepting again replaces it. */
const testName = (inputs: JsonObject): string => {
  const shown = Object.entries(inputs).map(([name, value]) => {
    const text = (typeof value === "string" ? value : JSON.stringify(value)).replace(/\s+/g, " ")
    return `${name} ${text.length > 60 ? `${text.slice(0, 59)}…` : text}`
  })
  return shown.length === 0
    ? "gives the accepted outputs"
    : `gives the accepted outputs for ${shown.join(", ")}`
}

const withoutUndefined = (values: TestSettings): JsonObject =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )

/** Replies by stage, in the order of the calls; failed calls are left out, because a test asks one model only. */
const scriptsOf = (calls: ReadonlyArray<MadeCall>): { readonly [stage: string]: Json } => {
  const stages = new Map<string, Array<MadeCall>>()
  for (const call of calls) {
    if (call.kind !== "model" || call.step?.ok !== true) continue
    const id = stageOf(call.path)
    stages.set(id, [...(stages.get(id) ?? []), call])
  }
  return Object.fromEntries(
    [...stages].map(([stage, own]) => [stage, own.map((call) => replyOf(call, own))]),
  )
}

/** A stage is meant by its id, in whatever block, round, item or iteration it runs. */
const stageOf = (path: string): string => lastOf(path).id

const replyOf = (call: MadeCall, all: ReadonlyArray<MadeCall>): Json => {
  const { finish, text, toolCalls } = (call.step as { readonly value: unknown }).value as ModelReply
  const when = all.length > 1 && call.path.includes("[") ? wordsOfOne(call, all) : undefined
  const json = jsonOf(text)
  return {
    ...(when === undefined ? {} : { when }),
    ...(toolCalls.length > 0
      ? { tool_calls: toolCalls.map((one) => ({ name: one.name, arguments: one.arguments })) }
      : json === undefined
        ? { text }
        : { json }),
    ...(isCut(finish) ? { cut: true } : {}),
  } as Json
}

/** Items run at the same time: a reply is kept for the request with a line that no other request has. */
const wordsOfOne = (call: MadeCall, all: ReadonlyArray<MadeCall>): string | undefined => {
  const others = all.filter((one) => one !== call).map(textOf)
  return textOf(call)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !others.some((text) => text.includes(line)))
    .toSorted((a, b) => a.length - b.length)[0]
}

const textOf = ({ about }: MadeCall): string =>
  (about as unknown as ModelRequest).messages
    .flatMap(({ content }) => (typeof content === "string" ? [content] : []))
    .join("\n")

/** Structured replies are easier to read as data. */
const jsonOf = (text: string): Json | undefined => {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const stubsOf = (
  calls: ReadonlyArray<MadeCall>,
  stubs: (tool: string) => boolean,
): { readonly [tool: string]: Json } => {
  const results = new Map<string, Array<Json>>()
  for (const { about, kind, step } of calls) {
    const tool = about["tool"] as string
    if (kind !== "tool" || step?.ok !== true || !stubs(tool)) continue
    results.set(tool, [...(results.get(tool) ?? []), step.value])
  }
  return Object.fromEntries(
    [...results].map(([tool, own]) => [
      tool,
      own.length === 1 ? { result: own[0]! } : { results: own },
    ]),
  )
}

const expectations = (outputs: JsonObject): ReadonlyArray<string> =>
  Object.entries(outputs).flatMap(([name, value]) => expected(`outputs.${name}`, value, 0))

const expected = (path: string, value: Json, depth: number): ReadonlyArray<string> => {
  if (typeof value === "string") {
    return value.length <= MAX_WHOLE
      ? [`${path} == ${JSON.stringify(value)}`]
      : [`${path}.startsWith(${JSON.stringify(value.slice(0, START))})`]
  }
  if (typeof value !== "object" || value === null) return [`${path} == ${JSON.stringify(value)}`]
  if (Array.isArray(value)) return [`size(${path}) == ${value.length}`]
  if (depth > 0) return []
  return Object.entries(value).flatMap(([key, field]) =>
    /^[a-z_][a-zA-Z0-9_]*$/.test(key) ? expected(`${path}.${key}`, field, depth + 1) : [],
  )
}
