/** Results of the tools, as schemas: expressions on a result are typed by them. */
import { fileTypes } from "../library/FileType.ts"

const text = { type: "string", description: "one sentence for a person" } as const
const complete = { type: "boolean", description: "whether all files were looked at" } as const
const total = { type: "integer" } as const

const object = (
  properties: { readonly [name: string]: unknown },
  optional: ReadonlyArray<string> = [],
) => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})

const fileType = { type: "string", enum: [...fileTypes, "other"] }

const file = {
  path: { type: "string" },
  type: fileType,
  bytes: { type: "number" },
  modified: { type: "string" },
}

const passage = object(
  {
    path: { type: "string" },
    line: { type: "integer", description: "its first line, from 1, of a file that is text" },
    heading: { type: "string" },
    text: { type: "string" },
  },
  ["line", "heading"],
)

const photo = object(
  {
    path: { type: "string" },
    taken: { type: ["string", "null"] },
    camera: { type: "string" },
    place: object({ latitude: { type: "number" }, longitude: { type: "number" } }),
    caption: { type: "string" },
  },
  ["camera", "place"],
)

const list = (items: object) => ({ type: "array", items })

export const foundFiles = object({
  text,
  files: list(
    object({ ...file, excerpt: { type: "string" }, unread: { type: "string" } }, ["unread"]),
  ),
  passages: list(passage),
  complete,
})

export const recentFiles = object({ text, files: list(object(file)), complete })

export const typedFiles = object({ text, files: list(object(file)), total, complete })

export const nearPhotos = object({ text, photos: list(photo), complete })

export const datedPhotos = object({ text, photos: list(photo), total, complete })

export const documentWords = object({
  text,
  path: { type: "string" },
  type: fileType,
  content: { type: "string" },
  complete,
})
