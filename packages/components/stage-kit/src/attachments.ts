/** Images that a stage sends to its model beside the text. */
import * as Effect from "effect/Effect"
import {
  MAX_IMAGE_BYTES,
  StageFailed,
  type Content,
  type JsonObject,
  type JsonSchema,
  type Reference,
  type StageContext,
} from "@planloom/plugin/effect"

/** What the services of all providers accept; Gemini rejects GIF. */
const mediaTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"]

/** Services limit a request to some 20 MB. */
const MAX_IMAGES = 16

/** `attach` in the input of a stage kind. */
export const attachments: JsonSchema = {
  type: "array",
  maxItems: MAX_IMAGES,
  items: { type: "string" },
  description:
    "images for the model: paths of files that the run may read, or data URLs such as data:image/png;base64,… (PNG, JPEG, WebP, GIF; 5 MB each)",
}

/** The files that a literal `attach` names. */
export const attachedFiles = ({ attach }: JsonObject): ReadonlyArray<Reference> =>
  Array.isArray(attach)
    ? attach.flatMap((id, index) =>
        typeof id === "string" && id !== "" && !address.test(id)
          ? [{ to: "image", id, at: ["attach", index] }]
          : [],
      )
    : []

const dataUrlStart = /^data:([\w+./-]{1,100});base64,/

/** Finds one character: a repetition over megabytes can exceed the stack of a regular expression. */
const notBase64 = /[^A-Za-z0-9+/]/

/** The text and the images as the content of one message. Failures never contain the data. */
export const withAttachments = (
  text: string,
  attach: ReadonlyArray<string> | undefined,
  { image }: Pick<StageContext, "image">,
): Effect.Effect<string | ReadonlyArray<Content>, StageFailed> =>
  attach === undefined || attach.length === 0
    ? Effect.succeed(text)
    : Effect.map(
        Effect.forEach(attach, (one, index) => {
          if (!address.test(one)) return image(one)
          const content = imageIn(one)
          return typeof content === "string" ? refused(index, content) : Effect.succeed(content)
        }),
        // Images first: models read them better before the question about them.
        (images) => [...images, { type: "text", text }],
      )

/** Also a data URL; no path of Windows, whose drives have one letter. */
const address = /^[a-z][a-z0-9+.-]+:/i

const refused = (index: number, problem: string): Effect.Effect<never, StageFailed> =>
  Effect.fail(new StageFailed({ class: "invalid_request", message: `attach[${index}] ${problem}` }))

const imageIn = (url: string): Content | string => {
  const [start = "", mediaType = ""] = dataUrlStart.exec(url) ?? []
  const data = url.slice(start.length)
  const digits = data.replace(/={1,2}$/, "")
  if (start === "" || digits === "" || notBase64.test(digits)) {
    return "is not an image: give the path of a file, or a data URL such as data:image/png;base64,…"
  }
  if (!mediaTypes.includes(mediaType)) {
    return `has the type ${mediaType}; models take ${mediaTypes.join(", ")}`
  }
  const bytes = Math.floor((data.length * 3) / 4)
  return bytes > MAX_IMAGE_BYTES
    ? `has ${bytes} bytes; an image can have ${MAX_IMAGE_BYTES}`
    : { type: "image", mediaType, data }
}
