/** Creates the SDK's client on the first request and reuses it. */
import type * as Sdk from "@google/genai"
import * as Effect from "effect/Effect"
import type { ModelFailed } from "@planloom/plugin/effect"
import { loadSdk, toModelFailed, missingKeyMessage } from "@planloom/provider-kit"
import type { GoogleOptions } from "./options.ts"

/** Loaded with the first request: it takes a sixth of a second, which other workflows save. */
const sdk = loadSdk("@google/genai", () => import("@google/genai"))

/** Fails with `auth`, without a request, if the key is missing. */
export const clientFor = ({ baseUrl, key }: GoogleOptions) => {
  let client: Sdk.GoogleGenAI | undefined
  const create = ({ GoogleGenAI: Client }: typeof Sdk) =>
    new Client({
      ...(key.value === undefined ? {} : { apiKey: key.value }),
      // Set explicitly: the SDK would read them from environment variables that the workflow has not declared.
      vertexai: false,
      apiVersion: "v1beta",
      httpOptions: { baseUrl },
    })
  return (model: string): Effect.Effect<Sdk.GoogleGenAI, ModelFailed> =>
    key.value === undefined
      ? Effect.fail(
          toModelFailed(model, { class: "auth", message: missingKeyMessage(key), unsent: true }),
        )
      : Effect.map(sdk(model), (loaded) => (client ??= create(loaded)))
}
