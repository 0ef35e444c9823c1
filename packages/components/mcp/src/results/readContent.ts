/** The parts of a result → its text, and attachments; a part that cannot be used is marked, and the others stay. */
import type { JsonObject } from "@planloom/plugin/effect"
import { isObject, type Json } from "@planloom/schema"
import { cleanLine, cleanText } from "@planloom/plugin/clean"
import type { RunFiles } from "./RunFiles.ts"

export interface Content {
  readonly text: string
  readonly attachments: ReadonlyArray<JsonObject>
}

/** Texts beyond this size are kept as files, and cut in the result. */
const MAX_TEXT_CHARS = 200_000
const MAX_PARTS = 1000
const MAX_LABEL_CHARS = 500

export const readContent = async (
  parts: Json | undefined,
  files: RunFiles,
  hide: (text: string) => string,
): Promise<Content> => {
  const texts: Array<string> = []
  const attachments: Array<JsonObject> = []
  const all: ReadonlyArray<Json> = Array.isArray(parts) ? parts : []
  if (parts !== undefined && !Array.isArray(parts)) {
    attachments.push(unusable("the content is not a list"))
  }
  for (const part of all.slice(0, MAX_PARTS)) {
    if (isObject(part) && part["type"] === "text" && typeof part["text"] === "string") {
      texts.push(part["text"])
    } else attachments.push(await attachment(part, files, hide))
  }
  if (all.length > MAX_PARTS) attachments.push(unusable(`${all.length - MAX_PARTS} more parts`))
  const text = hide(cleanText(texts.join("\n")))
  if (text.length <= MAX_TEXT_CHARS) return { text, attachments }
  const kept = await files.keep(Buffer.from(text), "text/plain")
  return {
    text: cleanText(text, MAX_TEXT_CHARS),
    attachments: [{ type: "text", mime: "text/plain", ...kept }, ...attachments],
  }
}

const unusable = (problem: string): JsonObject => ({ type: "unusable", problem })

const attachment = async (
  part: Json,
  files: RunFiles,
  hide: (text: string) => string,
): Promise<JsonObject> => {
  if (!isObject(part)) return unusable("a part is no object")
  const line = (value: Json | undefined) =>
    typeof value === "string" ? hide(cleanLine(value, MAX_LABEL_CHARS)) : undefined
  const labelled = (names: { readonly [name: string]: Json | undefined }): JsonObject =>
    Object.fromEntries(
      Object.entries(names).flatMap(([name, value]) => {
        const label = line(value)
        return label === undefined ? [] : [[name, label]]
      }),
    )
  const { data, mimeType, name, resource, type, uri } = part
  switch (type) {
    case "image":
    case "audio": {
      const kept = await binary(data, line(mimeType), files)
      return typeof kept === "string"
        ? unusable(`an ${type} ${kept}`)
        : { type, ...labelled({ mime: mimeType }), ...kept }
    }
    case "resource_link":
      return { type: "link", ...labelled({ uri, name, mime: mimeType }) }
    case "resource": {
      if (!isObject(resource)) return unusable("a resource has no contents")
      const about = labelled({ uri: resource["uri"], mime: resource["mimeType"] })
      const { blob, text } = resource
      if (typeof text === "string") {
        const shown = hide(cleanText(text))
        return shown.length <= MAX_TEXT_CHARS
          ? { type, ...about, text: shown }
          : { type, ...about, ...(await files.keep(Buffer.from(shown), "text/plain")) }
      }
      const kept = await binary(blob, line(resource["mimeType"]), files)
      return typeof kept === "string"
        ? { ...unusable(`a resource ${kept}`), ...about }
        : { type, ...about, ...kept }
    }
    default:
      return unusable(`a part of unknown type ${cleanLine(JSON.stringify(type ?? null), 60)}`)
  }
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The place of the kept data, or the problem with it. */
const binary = async (data: Json | undefined, mime: string | undefined, files: RunFiles) =>
  typeof data !== "string" || data.length % 4 !== 0 || !base64.test(data)
    ? "has no data in base64"
    : files.keep(Buffer.from(data, "base64"), mime)
