/** Reads the body of a response: decompressed, and no more than the limit. */
import type { IncomingMessage } from "node:http"
import { pipeline } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import { HttpFailed } from "../HttpFailed.ts"

const decoders: { readonly [encoding: string]: () => NodeJS.ReadWriteStream } = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Encodings that requests ask for. */
export const acceptedEncodings = "gzip, deflate, br"

/** Fails with `too_large` as soon as the body passes the limit, also where only its decompressed form does. */
export const readBody = async (response: IncomingMessage, limit: number): Promise<Buffer> => {
  const announced = Number(response.headers["content-length"] ?? 0)
  if (announced > limit) {
    response.destroy()
    throw tooLarge(limit)
  }
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of decoded(response) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > limit) {
      response.destroy()
      throw tooLarge(limit)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const decoded = (response: IncomingMessage): AsyncIterable<unknown> => {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase()
  if (encoding === "" || encoding === "identity") return response
  const make = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined
  if (make === undefined) {
    response.destroy()
    throw new HttpFailed("invalid_output", `the answer has the unknown encoding "${encoding}"`)
  }
  // Errors of the response reach the reader through the decoder, which `pipeline` destroys with them.
  return pipeline(response, make(), () => undefined) as unknown as AsyncIterable<unknown>
}

const tooLarge = (limit: number): HttpFailed =>
  new HttpFailed("too_large", `the answer is larger than ${limit} bytes (\`max_bytes\`)`)
