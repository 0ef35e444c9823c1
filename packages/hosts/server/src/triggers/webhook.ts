/** The route of webhooks: a signed request starts a run of the workflow that it names, once for each message. */
import * as Effect from "effect/Effect"
import type { Json, StoreFailed } from "@planloom/plugin/effect"
import type { ApiOptions } from "../Api.ts"
import { requireWorker } from "../changeRoutes.ts"
import { DEFAULT_MAX_BODY_BYTES, invalidInput } from "../decodeBody.ts"
import { Problem } from "../Problem.ts"
import { isTooDeep } from "@planloom/schema"
import { readText, tooDeepBody } from "../readJsonBody.ts"
import { json } from "../runRoutes.ts"
import { sha256 } from "../sha256.ts"
import { startTriggered } from "./startTriggered.ts"
import { webhookKey } from "./webhookKey.ts"

/** Signatures of one request that are tried. */
const MAX_SIGNATURES = 10

/** How far the time of a message may be from the server's. */
const TOLERANCE_MS = 300_000

const rejected = (detail: string) => new Problem({ code: "unauthorized", detail })

/** Signatures follow Standard Webhooks: HMAC-SHA256 of `id.timestamp.body`. */
export const receiveWebhook = (
  options: ApiOptions,
  request: Request,
  name: string,
): Effect.Effect<Response, Problem | StoreFailed> =>
  Effect.gen(function* () {
    const workflow = options.workflows?.get(name)
    const webhook = workflow?.pipeline.triggers?.webhook
    const secrets = workflow?.webhookSecrets ?? []
    if (workflow === undefined || webhook === undefined || secrets.length === 0) {
      return yield* new Problem({ code: "unknown_resource", detail: `no webhook starts "${name}"` })
    }
    const [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
      (header) => request.headers.get(header) ?? "",
    ) as [string, string, string]
    if (id === "" || !/^\d{1,12}$/.test(timestamp) || signature === "") {
      return yield* rejected("send webhook-id, webhook-timestamp and webhook-signature")
    }
    const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    if (Math.abs(at - Number(timestamp) * 1000) > TOLERANCE_MS) {
      return yield* rejected("the time of the message is not within five minutes of the server's")
    }
    const text = yield* readText(request, options.maxBody ?? DEFAULT_MAX_BODY_BYTES)
    const signed = `${id}.${timestamp}.${text}`
    const keys = yield* Effect.forEach(secrets, keyOf)
    if (!(yield* Effect.promise(() => isSigned(signed, signature, keys)))) {
      return yield* rejected("the signature is not valid")
    }
    const body = yield* parse(text)
    if (isTooDeep(body)) return yield* tooDeepBody
    const issues = webhook.validate(body)
    if (issues.length > 0) {
      return yield* invalidInput(
        issues.map(({ message, path }) => ({ path: `/body${path}`, message })),
      )
    }
    const inputs = yield* Effect.try({
      try: () => webhook.inputs.evaluate({ body }),
      catch: (error) =>
        invalidInput([{ path: "/body", message: error instanceof Error ? error.message : "" }]),
    })
    const worker = yield* requireWorker(options)
    const digest = yield* Effect.promise(() => sha256(id))
    const run = `webhook_${name}_${digest.slice(0, 32)}`
    const outcome = yield* startTriggered(options.store, worker, { workflow, run, inputs, at })
    if (typeof outcome === "object") {
      return yield* invalidInput(
        outcome.issues.map(({ message, path }) => ({ path: `/inputs${path}`, message })),
      )
    }
    return json({ run, started: outcome === "started" }, outcome === "started" ? 202 : 200)
  })

const parse = (text: string): Effect.Effect<Json, Problem> =>
  Effect.try({
    try: () => JSON.parse(text) as Json,
    catch: () => new Problem({ code: "invalid_json", detail: "the body is not valid JSON" }),
  })

const encoder = new TextEncoder()

/** Hosts refuse such a secret before they serve. */
const keyOf = (secret: string): Effect.Effect<Uint8Array<ArrayBuffer>, Problem> => {
  const key = webhookKey(secret)
  return typeof key === "string"
    ? Effect.fail(
        new Problem({ code: "unavailable", detail: "the secret of the webhook cannot be used" }),
      )
    : Effect.succeed(key)
}

/** Compares in constant time. */
const isSigned = async (
  signed: string,
  header: string,
  secrets: ReadonlyArray<Uint8Array<ArrayBuffer>>,
): Promise<boolean> => {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const keys = await Promise.all(
    secrets.map((bytes) => crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"])),
  )
  for (const one of header.split(" ").slice(0, MAX_SIGNATURES)) {
    if (!one.startsWith("v1,")) continue
    const signature = Uint8Array.from(Buffer.from(one.slice(3), "base64"))
    for (const key of keys) {
      if (await crypto.subtle.verify("HMAC", key, signature, encoder.encode(signed))) return true
    }
  }
  return false
}
