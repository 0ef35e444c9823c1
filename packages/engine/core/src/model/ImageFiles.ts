/** Images in files that a stage attaches: recorded by their digest, and read again for each request that is sent. */
import { createHash } from "node:crypto"
import { isAbsolute, resolve } from "node:path"
import * as Effect from "effect/Effect"
import {
  MAX_IMAGE_BYTES,
  ModelFailed,
  StageFailed,
  type Content,
  type Message,
  type ModelRequest,
} from "@planloom/plugin/effect"
import { OutsideRoots, openInside, type InsideFile } from "@planloom/plugin/roots"

/** What is recorded of an image. */
export type ImageRecord = { readonly digest: string; readonly mediaType: string }

interface ReadImage extends ImageRecord {
  readonly bytes: Buffer
}

/** Media types by the first bytes of a file, and by those from the ninth. */
const signatures: ReadonlyArray<readonly [mediaType: string, start: string, ninth?: string]> = [
  ["image/png", "\x89PNG\r\n\x1A\n"],
  ["image/jpeg", "\xFF\xD8\xFF"],
  ["image/gif", "GIF8"],
  ["image/webp", "RIFF", "WEBP"],
]

/** Bytes that decide the media type. */
const HEAD_BYTES = 12

export class ImageFiles {
  private readonly roots: ReadonlyArray<string>
  /** Names of the files by the reference that stands for their data. */
  private readonly names = new Map<string, string>()

  constructor(roots: ReadonlyArray<string>) {
    this.roots = roots
  }

  /** Fails with class `invalid_request` for what is not an image inside the roots. */
  read(name: string): Effect.Effect<ImageRecord, StageFailed> {
    return Effect.mapBoth(readImage(name, this.roots), {
      onSuccess: ({ digest, mediaType }) => ({ digest, mediaType }),
      onFailure: (message) => new StageFailed({ class: "invalid_request", message }),
    })
  }

  /** A reference stands for the data, so that no record and no hook holds it. */
  content(name: string, { digest, mediaType }: ImageRecord): Content {
    const data = `sha256:${digest}`
    this.names.set(data, name)
    return { type: "image", mediaType, data }
  }

  /** The request with the data of its images. A file that has changed since it was recorded fails the call. */
  placed(request: ModelRequest, model: string): Effect.Effect<ModelRequest, ModelFailed> {
    return Effect.mapBoth(
      Effect.forEach(request.messages, (message) => this.placedIn(message)),
      {
        onSuccess: (messages) => ({ ...request, messages }),
        onFailure: (message) =>
          new ModelFailed({ class: "invalid_request", model, message, unsent: true }),
      },
    )
  }

  private placedIn(message: Message): Effect.Effect<Message, string> {
    const { content } = message
    return message.role === "tool" || !Array.isArray(content)
      ? Effect.succeed(message)
      : Effect.map(
          Effect.forEach(content as ReadonlyArray<Content>, (part) => this.placedPart(part)),
          (parts) => ({ ...message, content: parts }),
        )
  }

  private placedPart(part: Content): Effect.Effect<Content, string> {
    const name = part.type === "image" ? this.names.get(part.data) : undefined
    if (part.type !== "image" || name === undefined) return Effect.succeed(part)
    return Effect.flatMap(readImage(name, this.roots), ({ bytes, digest }) =>
      `sha256:${digest}` === part.data
        ? Effect.succeed({ ...part, data: bytes.toString("base64") })
        : Effect.fail(`the image ${name} has changed since this run read it`),
    )
  }
}

/** Fails with a sentence that contains nothing of the file. */
const readImage = (name: string, roots: ReadonlyArray<string>): Effect.Effect<ReadImage, string> =>
  Effect.acquireUseRelease(
    Effect.tryPromise({
      try: () => openNamed(name, roots),
      catch: (error) =>
        error instanceof OutsideRoots
          ? error.message
          : `the image ${name} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "it is no path"}`,
    }),
    (file) => imageIn(name, file),
    ({ handle }) => Effect.promise(() => handle.close()),
  )

/** A relative name starts at the working folder, else at the first of the roots that has the file. */
const openNamed = async (name: string, roots: ReadonlyArray<string>): Promise<InsideFile> => {
  const places = isAbsolute(name) ? [] : roots.map((root) => resolve(root, name))
  let first: unknown
  for (const place of [name, ...places]) {
    try {
      return await openInside(place, roots)
    } catch (error) {
      first ??= error
    }
  }
  throw first
}

const imageIn = Effect.fnUntraced(function* (
  name: string,
  { handle, stats }: InsideFile,
): Effect.fn.Return<ReadImage, string> {
  if (!stats.isFile()) return yield* Effect.fail(`the image ${name} is not a regular file`)
  if (stats.size > MAX_IMAGE_BYTES) return yield* Effect.fail(tooLarge(name, stats.size))
  const bytes = yield* Effect.tryPromise({
    try: () => handle.readFile(),
    catch: () => `the image ${name} cannot be read`,
  })
  if (bytes.length > MAX_IMAGE_BYTES) return yield* Effect.fail(tooLarge(name, bytes.length))
  const head = bytes.subarray(0, HEAD_BYTES).toString("latin1")
  const mediaType = signatures.find(
    ([, start, ninth = ""]) => head.startsWith(start) && head.startsWith(ninth, 8),
  )?.[0]
  return mediaType === undefined
    ? yield* Effect.fail(`${name} is not a PNG, JPEG, WebP or GIF image`)
    : { bytes, mediaType, digest: createHash("sha256").update(bytes).digest("hex") }
})

const tooLarge = (name: string, bytes: number): string =>
  `the image ${name} has ${bytes} bytes; an image can have ${MAX_IMAGE_BYTES}`
