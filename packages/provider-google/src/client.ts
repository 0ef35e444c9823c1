/** The SDK's client, made with the first call and kept. */
import type { GoogleGenAI } from "@google/genai"
import * as Effect from "effect/Effect"
import type { ModelFailed } from "@planloom/plugin"
import { failureOf, missingKey } from "@planloom/provider-kit"
import type { GoogleOptions } from "./options.ts"

/**
 * The SDK is loaded with the first call: a sixth of a second that a workflow without it need not spend.
 * Fails as `auth` where there is no key, before anybody is asked.
 */
export const clientFor = ({ baseUrl, key }: GoogleOptions) => {
  let made: Promise<GoogleGenAI> | undefined
  const make = async () => {
    const { GoogleGenAI: Client } = await import("@google/genai")
    return new Client({
      ...(key.value === undefined ? {} : { apiKey: key.value }),
      // Said outright, for the SDK would read them from the environment, which the workflow has not declared.
      vertexai: false,
      apiVersion: "v1beta",
      httpOptions: { baseUrl },
    })
  }
  return (model: string): Effect.Effect<GoogleGenAI, ModelFailed> =>
    key.value === undefined
      ? Effect.fail(failureOf(model, { class: "auth", message: missingKey(key), unsent: true }))
      : Effect.promise(() => (made ??= make()))
}
