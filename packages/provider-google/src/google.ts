/** Gemini models through Google's SDK. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ModelRequest, Provider } from "@planloom/plugin"
import {
  askParts,
  askWhole,
  foldParts,
  missingKey,
  ownLimit,
  readParts,
  type Asking,
  type Wire,
} from "@planloom/provider-kit"
import { clientFor } from "./client.ts"
import type { GoogleOptions } from "./options.ts"
import { pieceReader } from "./pieceReader.ts"
import { toolFor, toParams } from "./toParams.ts"
import { toTrouble } from "./toTrouble.ts"

const ID = "google"

export const google = (options: GoogleOptions): Provider => {
  const { key } = options
  const client = clientFor(options)
  const name = ({ model }: ModelRequest) => `${ID}/${model}`
  const askingFor = (request: ModelRequest): Asking => ({
    model: name(request),
    limits: options.limits,
    trouble: toTrouble,
    secrets: key.value === undefined ? [] : [key.value],
    key: key.name,
  })
  const paramsFor = (request: ModelRequest, wire: Wire) => {
    const { config, ...params } = toParams(request, options)
    return {
      ...params,
      config: { ...config, abortSignal: wire.signal, httpOptions: { fetch: wire.fetch } },
    }
  }
  const readerFor = (request: ModelRequest) => () => pieceReader(toolFor(request, options)?.name)
  return {
    id: ID,
    summary: "Gemini models of Google.",
    ...ownLimit(options.limits),
    available: Effect.succeed(key.value === undefined ? missingKey(key) : true),
    generate: (request) =>
      Effect.flatMap(client(name(request)), ({ models }) =>
        Effect.flatMap(
          askWhole(askingFor(request), (wire) => models.generateContent(paramsFor(request, wire))),
          (whole) => foldParts(name(request), whole, readerFor(request)()),
        ),
      ),
    stream: (request) =>
      Stream.unwrap(
        Effect.map(client(name(request)), ({ models }) =>
          readParts(
            name(request),
            askParts(askingFor(request), (wire) =>
              models.generateContentStream(paramsFor(request, wire)),
            ),
            readerFor(request),
            options.limits.maxReplyBytes,
          ),
        ),
      ),
  }
}
