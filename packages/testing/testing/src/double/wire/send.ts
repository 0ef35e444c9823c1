/** Answers onto a connection, whole, in pieces, or broken as scripted. */
import type { ServerResponse } from "node:http"
import type { RawAnswer, WireAnswer, WireError } from "./WireAnswer.ts"
import type { WireBody, WireFormat } from "./WireFormat.ts"

export interface Sending {
  readonly format: WireFormat
  readonly answer: WireAnswer
  readonly request: WireBody
  readonly stream: boolean
  /** Resolves when the server is released. */
  readonly released: () => Promise<void>
}

export const sendError = (response: ServerResponse, format: WireFormat, error: WireError): void => {
  const { body, headers } = format.error(error)
  response.writeHead(error.status, {
    "content-type": "application/json",
    ...format.headers,
    ...headers,
  })
  response.end(JSON.stringify(body))
}

export const sendRaw = (
  response: ServerResponse,
  { body, events, headers, status = 200 }: RawAnswer,
  stream: boolean,
): void => {
  if (stream && events !== undefined) {
    response.writeHead(status, { "content-type": "text/event-stream", ...headers })
    response.end(
      events
        .map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
        .join(""),
    )
    return
  }
  const text = typeof body === "string"
  response.writeHead(status, {
    ...(text ? {} : { "content-type": "application/json" }),
    ...headers,
  })
  response.end(text ? body : JSON.stringify(body))
}

export const sendReply = async (response: ServerResponse, sending: Sending): Promise<void> => {
  const { answer, format, request, stream } = sending
  response.writeHead(200, {
    "content-type": stream ? (format.streamType ?? "text/event-stream") : "application/json",
    ...format.headers,
  })
  const [begin, rest] = stream
    ? halves(format.events(answer, request).map((event) => `${event}\n\n`))
    : halves([...JSON.stringify(format.whole(answer, request))])
  switch (answer.fault) {
    case "stall":
      response.write(begin)
      await sending.released()
      response.end(rest)
      return
    case "cut":
      // What was written must be on its way before the connection goes, or the client sees none of it.
      response.write(begin, () => response.destroy())
      return
    case "malformed":
      response.end(stream ? `${begin}${format.malformed}\n\n${rest}` : "<html>Bad gateway</html>")
      return
    case "truncated":
      response.end(begin)
      return
    default:
      response.end(begin + rest)
  }
}

/** Both ends of what is sent. A stream is parted between two events, so that its first half is sound. */
const halves = (pieces: ReadonlyArray<string>): readonly [begin: string, rest: string] => {
  const half = Math.ceil(pieces.length / 2)
  return [pieces.slice(0, half).join(""), pieces.slice(half).join("")]
}
