/** Creates the SDK's client on the first request and reuses it. */
import type { GoogleGenAI } from "@google/genai"
import * as Effect from "effect/Effect"
import type { ModelFailed } from "@planloom/plugin/effect"
import { toModelFailed, missingKeyMessage } from "@planloom/provider-kit"
import type { GoogleOptions } from "./options.ts"

/**
 * The SDK is loaded with the first request: it takes a sixth of a second, which other workflows save.
 * Fails with `auth`, without a request, if the key is missing.
 */
export const clientFor = ({ baseUrl, key }: GoogleOptions) => {
  let client: Promise<GoogleGenAI> | undefined
  const create = async () => {
    const { GoogleGenAI: Client } = await import("@google/genai")
    return new Client({
      ...(key.value === undefined ? {} : { apiKey: key.value }),
      // Set explicitly: the SDK would read them from environment variables that the workflow has not declared.
      vertexai: false,
      apiVersion: "v1beta",
      httpOptions: { baseUrl },
    })
  }
  return (model: string): Effect.Effect<GoogleGenAI, ModelFailed> =>
    key.value === undefined
      ? Effect.fail(
          toModelFailed(model, { class: "auth", message: missingKeyMessage(key), unsent: true }),
        )
      : Effect.promise(() => (client ??= create()))
}
