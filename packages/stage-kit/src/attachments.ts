/** Images that a stage sends to its model beside the text. */
import * as Effect from "effect/Effect"
import { StageFailed, type Content, type JsonSchema } from "@planloom/plugin/effect"

/** What the services of all providers accept; Gemini rejects GIF. */
const mediaTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"]

/** Services limit a request to some 20 MB. */
const MAX_IMAGES = 16
const MAX_IMAGE_BYTES = 5 * 1024 * 1024

/** `attach` in the input of a stage kind. */
export const attachments: JsonSchema = {
  type: "array",
  maxItems: MAX_IMAGES,
  items: { type: "string" },
  description:
    "images for the model, as data URLs: data:image/png;base64,… (PNG, JPEG, WebP, GIF; 5 MB each)",
}

const dataUrl = /^data:([\w+./-]+);base64,([A-Za-z0-9+/]+={0,2})$/

/** The text and the images as the content of one message. Failures never contain the data. */
export const withAttachments = (
  text: string,
  attach: ReadonlyArray<string> = [],
): Effect.Effect<string | ReadonlyArray<Content>, StageFailed> => {
  const images: Array<Content> = []
  for (const [index, url] of attach.entries()) {
    const image = imageIn(url)
    if (typeof image === "string") {
      const message = `attach[${index}] ${image}`
      return Effect.fail(new StageFailed({ class: "invalid_request", message }))
    }
    images.push(image)
  }
  // Images first: models read them better before the question about them.
  return Effect.succeed(images.length === 0 ? text : [...images, { type: "text", text }])
}

const imageIn = (url: string): Content | string => {
  const [, mediaType = "", data = ""] = dataUrl.exec(url) ?? []
  if (data === "") return "is not an image: give a data URL such as data:image/png;base64,…"
  if (!mediaTypes.includes(mediaType)) {
    return `has the type ${mediaType}; models take ${mediaTypes.join(", ")}`
  }
  const bytes = Math.floor((data.length * 3) / 4)
  return bytes > MAX_IMAGE_BYTES
    ? `has ${bytes} bytes; an image can have ${MAX_IMAGE_BYTES}`
    : { type: "image", mediaType, data }
}
