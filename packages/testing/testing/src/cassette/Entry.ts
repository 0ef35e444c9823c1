/** A recorded call, as it stands in a file. */
import { createHash } from "node:crypto"
import type { Json, JsonObject, RecordedStep } from "@planloom/plugin/effect"
import { isBelow } from "@planloom/plugin/segments"
import type { CassetteCall } from "@planloom/core/internal"

export interface Entry {
  /** The call's name, without the path of its stage. */
  readonly call: string
  readonly about: JsonObject
  /** Undefined for a call that was broken off, by a time limit or by another stage's failure. */
  readonly step: RecordedStep | undefined
}

/** Characters of tool inputs that are kept; longer ones, such as tables, are compared by their digest. */
const LONGEST = 2000

/** The call in its written form, which is compared: without undefined parts, and without what is too long to read. */
export const aboutOf = ({ about }: CassetteCall): JsonObject => {
  const plain = JSON.parse(JSON.stringify(about, withoutImages)) as { [key: string]: Json }
  const { inputs } = plain
  if (inputs !== undefined) {
    const text = JSON.stringify(inputs)
    if (text.length > LONGEST) {
      const digest = createHash("sha256").update(text).digest("hex")
      plain["inputs"] = { sha256: digest, characters: text.length }
    }
  }
  return plain
}

/** The data of an image as its digest. */
const withoutImages = (_: string, value: unknown): unknown => {
  const { data, type } = (value ?? {}) as { readonly data?: unknown; readonly type?: unknown }
  return type === "image" && typeof data === "string"
    ? { ...(value as object), data: `sha256:${createHash("sha256").update(data).digest("hex")}` }
    : value
}

/** `model:1:near:a`, `attempt:2/tool:length#1`, `mechanical/tool:length#1`. */
export const callName = ({ name, path }: CassetteCall): string =>
  named(isBelow(name, path) ? name.slice(path.length + 1) : name)

/**
 * The name of a call with its attempt in words: a stage's first attempt has no suffix, nor is it said whether it is a
 * model's, which no other of the stage's ways can be. A name already in words does not change.
 */
const named = (call: string): string =>
  call.replace(
    /^(answered:\d+\/)?(run|model|mechanical):(\d+)\//,
    (_, answered: string = "", strategy: string, number: string) => {
      if (strategy === "mechanical")
        return `${answered}mechanical${number === "1" ? "" : `:${number}`}/`
      return number === "1" ? answered : `${answered}attempt:${number}/`
    },
  )

export const entryJson = ({ about, call, step }: Entry): Json => ({
  call,
  ...about,
  ...(step === undefined
    ? { interrupted: true }
    : step.ok
      ? { gave: step.value }
      : { failed: { tag: step.tag, of: step.of, ...(step.failure as unknown as JsonObject) } }),
})

/** Why the value is not an entry; undefined when it is. */
export const entryOf = (value: Json): Entry | string => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "a call is a mapping"
  }
  const { call: given, failed, gave, interrupted, ...about } = value as JsonObject
  if (typeof given !== "string") return "a call has a name under `call`"
  // Older recordings number attempts as a run's record does.
  const call = named(given)
  if (interrupted === true) return { call, about, step: undefined }
  if (gave !== undefined) return { call, about, step: { ok: true, value: gave } }
  if (failed === undefined) return `${call} says neither what it \`gave\` nor how it \`failed\``
  const { of, tag, ...failure } = (failed ?? {}) as JsonObject
  if (typeof tag !== "string" || typeof failure["message"] !== "string") {
    return `what ${call} says under \`failed\` has no \`tag\` or no \`message\``
  }
  const step = { ok: false, tag, failure, of: of ?? "" } as unknown as RecordedStep
  return { call, about, step }
}
