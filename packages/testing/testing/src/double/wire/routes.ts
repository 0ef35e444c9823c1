/** Which service a request is meant for, and what it asks. */
import type { IncomingMessage } from "node:http"
import { anthropicWire } from "./anthropicWire.ts"
import { googleWire } from "./googleWire.ts"
import { ollamaWire } from "./ollamaWire.ts"
import { openaiWire } from "./openaiWire.ts"
import { responsesWire } from "./responsesWire.ts"

export const formats = {
  anthropic: anthropicWire,
  google: googleWire,
  ollama: ollamaWire,
  openai: openaiWire,
  responses: responsesWire,
}

export interface WireRoute {
  readonly format: keyof typeof formats
  readonly asks: "reply" | "vectors" | "scores" | "moderation" | "models" | "model"
  /** Where the path says it; the body does otherwise. */
  readonly model?: string
  readonly stream?: boolean
}

const listed = /^\/v1(beta)?\/models\/([^/:]+)$/

const google = /^\/v1(?:beta)?\/models\/([^/:]+):(\w+)$/

/** Undefined for paths no service has. */
export const routeOf = ({ headers, url = "" }: IncomingMessage): WireRoute | undefined => {
  const path = url.split("?")[0]!
  switch (path) {
    case "/v1/messages":
      return { format: "anthropic", asks: "reply" }
    case "/v1/chat/completions":
      return { format: "openai", asks: "reply" }
    case "/v1/responses":
      return { format: "responses", asks: "reply" }
    case "/api/chat":
      return { format: "ollama", asks: "reply" }
    case "/v1/embeddings":
      return { format: "openai", asks: "vectors" }
    case "/v1/rerank":
      return { format: "openai", asks: "scores" }
    case "/v1/moderations":
      return { format: "openai", asks: "moderation" }
    case "/v1/models":
      return { format: "anthropic-version" in headers ? "anthropic" : "openai", asks: "models" }
    case "/v1beta/models":
      return { format: "google", asks: "models" }
  }
  const [, isGoogle, one] = listed.exec(path) ?? []
  if (one !== undefined) {
    return { format: isGoogle ? "google" : "anthropic", asks: "model", model: one }
  }
  const [, model, verb] = google.exec(path) ?? []
  if (model === undefined) return undefined
  if (verb === "generateContent" || verb === "streamGenerateContent") {
    return { format: "google", asks: "reply", model, stream: verb === "streamGenerateContent" }
  }
  return verb === "batchEmbedContents" ? { format: "google", asks: "vectors", model } : undefined
}
