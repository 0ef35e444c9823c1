/** A model service on 127.0.0.1 that speaks three wire formats, remembers its requests and misbehaves as scripted. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { JsonObject } from "@planloom/plugin/effect"
import { googleEmbeddings, openaiEmbeddings } from "./embeddings.ts"
import { routeOf, formats, type WireRoute } from "./routes.ts"
import { moderationOf } from "./moderation.ts"
import { rerankScores } from "./scores.ts"
import { errorOf, type WireAnswer, type WireError } from "./WireAnswer.ts"
import { namedFunctions, refusedName } from "./namedFunctions.ts"
import { sendError, sendRaw, sendReply } from "./send.ts"

/** One request as it arrived. */
export interface WireRequest {
  readonly format: WireRoute["format"]
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: JsonObject
  /** Names of the functions that it declares. */
  readonly functions: ReadonlyArray<string>
  /** Whether the answer was asked for in pieces. */
  readonly stream: boolean
  /** Whether the client went away before the answer was whole. */
  readonly abandoned: boolean
}

export interface WireServer {
  /** Where Anthropic's and Google's SDK are to be pointed; OpenAI's wants `/v1` behind it. */
  readonly url: string
  /** Every request for a reply, for vectors or for scores, in the order they came. */
  readonly requests: ReadonlyArray<WireRequest>
  /**
   * Answers for the requests to come, in order, each for a request that holds its `when`; the last one
   * stays for all that follow. Earlier answers are forgotten.
   */
  readonly answer: (...answers: ReadonlyArray<WireAnswer>) => void
  /** Releases whatever waits: answers with `delay`, and those scripted to be slow or to stall. */
  readonly release: () => void
  /** Resolves when this many requests have come. */
  readonly received: (count: number) => Promise<void>
  /** Resolves when this many clients have gone away before their answer was whole. */
  readonly abandoned: (count: number) => Promise<void>
  /** How many connections clients have opened so far. */
  readonly connections: () => number
  /** Ends the server and every connection. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

export interface WireServerOptions {
  /** Requests with another key are refused; without, every key and none will do. */
  readonly key?: string
  /** Names the server lists; any name is answered. */
  readonly models?: ReadonlyArray<string>
  readonly answers?: ReadonlyArray<WireAnswer>
  /** Tokens of a request's texts and its reply, at 3.5 characters each; longer requests are refused. Of any length unless given. */
  readonly context?: number
}

/** Of English text; JSON among it has more tokens for its length than prose. */
const CHARACTERS_PER_TOKEN = 3.5

/** Every service refuses such a name, each by a rule of its own; this one is the strictest. */
const refusal = (name: string): WireError => ({
  status: 400,
  message: `"${name}" is no name of a function: letters, digits, _ and -, at most 64 of them, and no digit first`,
  retryAfter: undefined,
  contextLength: false,
})

type Recorded = { -readonly [K in keyof WireRequest]: WireRequest[K] }

export const wireServer = async (options: WireServerOptions = {}): Promise<WireServer> => {
  const requests: Array<Recorded> = []
  let answers = [...(options.answers ?? [{ text: "hello" }])]
  let waiting: Array<() => void> = []
  let watchers: Array<() => void> = []
  const changed = () => {
    for (const look of watchers) look()
  }
  const reaches = (count: () => number, wanted: number) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (count() < wanted) return
        watchers = watchers.filter((other) => other !== look)
        resolve()
      }
      watchers.push(look)
      look()
    })

  const take = (text: string): WireAnswer | undefined => {
    const index = answers.findIndex(({ when }) => when === undefined || text.includes(when))
    const found = answers[index]
    if (found !== undefined && index < answers.length - 1) answers.splice(index, 1)
    return found
  }

  const respond = async (incoming: IncomingMessage, response: ServerResponse) => {
    const text = await textOf(incoming)
    const route = routeOf(incoming)
    if (route === undefined) return sendJson(response, 404, { error: { message: "not found" } })
    const format = formats[route.format]
    if (options.key !== undefined && !keysOf(incoming).includes(options.key)) {
      const refused = { status: 401, message: "the key is refused", retryAfter: undefined }
      return sendError(response, format, { ...refused, contextLength: false })
    }
    if (route.asks === "models") return sendJson(response, 200, modelsOf(route, options.models))
    if (route.asks === "model") {
      const found = (options.models ?? ["small"]).includes(route.model!)
      if (found)
        return sendJson(response, 200, { id: route.model!, name: `models/${route.model!}` })
      const missing = { status: 404, message: `no model ${route.model!}`, retryAfter: undefined }
      return sendError(response, format, { ...missing, contextLength: false })
    }
    const body = JSON.parse(text) as JsonObject
    const stream = route.stream ?? body["stream"] === true
    const named = namedFunctions(body)
    const recorded: Recorded = {
      format: route.format,
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      body,
      functions: named.declared,
      stream,
      abandoned: false,
    }
    requests.push(recorded)
    response.on("close", () => {
      recorded.abandoned = !response.writableFinished
      changed()
    })
    changed()
    const refused = refusedName(named)
    if (refused !== undefined) return sendError(response, format, refusal(refused))
    const answer = take(text)
    if (answer === undefined) {
      return sendJson(response, 404, {
        error: { code: 404, message: "no answer is for this request" },
      })
    }
    const released = () => new Promise<void>((resolve) => waiting.push(resolve))
    if (answer.delay !== undefined || answer.fault === "slow") await released()
    if (answer.raw !== undefined) return sendRaw(response, answer.raw, stream)
    const error = errorOf(answer) ?? overflowOf(body, options.context)
    if (error !== undefined) return sendError(response, format, error)
    if (route.asks === "vectors") {
      const vectors = route.format === "google" ? googleEmbeddings(body) : openaiEmbeddings(body)
      return sendJson(response, 200, vectors)
    }
    if (route.asks === "scores") return sendJson(response, 200, rerankScores(body))
    if (route.asks === "moderation") return sendJson(response, 200, moderationOf(body))
    const model = route.model ?? String(body["model"])
    return sendReply(response, { format, answer, request: { model, body }, stream, released })
  }

  const server = createServer((incoming, response) => {
    respond(incoming, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else
        sendJson(response, 500, {
          error: { message: `the double itself failed: ${String(error)}` },
        })
    })
  })
  let connections = 0
  server.on("connection", () => connections++)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (...scripted) => {
      answers = [...scripted]
    },
    release: () => {
      for (const go of waiting) go()
      waiting = []
    },
    received: (count) => reaches(() => requests.length, count),
    abandoned: (count) => reaches(() => requests.filter((one) => one.abandoned).length, count),
    connections: () => connections,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The error for a request with OpenAI's messages that is longer than the context. */
const overflowOf = (body: JsonObject, context = Infinity): WireError | undefined => {
  const messages = (body["messages"] ?? []) as ReadonlyArray<{ readonly content: unknown }>
  const characters = messages.reduce((sum, { content }) => sum + String(content).length, 0)
  const tokens = Math.ceil(characters / CHARACTERS_PER_TOKEN) + Number(body["max_tokens"] ?? 0)
  const message = `request (${tokens} tokens) exceeds the available context size (${context} tokens)`
  return tokens > context
    ? { status: 400, message, retryAfter: undefined, contextLength: true }
    : undefined
}

const textOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const sendJson = (response: ServerResponse, status: number, body: JsonObject): void => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify(body))
}

/** Wherever a client of the three may put its key. */
const keysOf = ({ headers }: IncomingMessage): ReadonlyArray<string> =>
  [headers["x-api-key"], headers["x-goog-api-key"], headers.authorization?.replace(/^Bearer /i, "")]
    .flat()
    .filter((key) => key !== undefined)

const modelsOf = ({ format }: WireRoute, models: ReadonlyArray<string> = ["small"]): JsonObject =>
  format === "google"
    ? { models: models.map((name) => ({ name: `models/${name}` })) }
    : {
        object: "list",
        data: models.map((id) => ({ id, object: "model", created: 0, owned_by: "wire" })),
      }
