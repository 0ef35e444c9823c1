/** A collector for tests: keeps the spans and metrics that it receives over OTLP/HTTP as JSON. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"

export interface ReceivedSpan {
  readonly id: string
  readonly trace: string
  readonly name: string
  readonly kind: number
  /** Id of the span around it; undefined for a root. */
  readonly parent: string | undefined
  /** Epoch milliseconds. */
  readonly start: number
  readonly end: number
  /** Status message of a failed span. */
  readonly error: string | undefined
  readonly attributes: { readonly [name: string]: unknown }
}

export interface ReceivedPoint {
  readonly metric: string
  readonly unit: string
  readonly attributes: { readonly [name: string]: unknown }
  /** Sum of a counter, or of the values of a histogram. */
  readonly sum: number
  /** Number of values of a histogram. */
  readonly count: number | undefined
}

export interface Collector {
  readonly url: string
  /** In order of arrival. */
  readonly spans: () => ReadonlyArray<ReceivedSpan>
  /** Of the last export. */
  readonly points: () => ReadonlyArray<ReceivedPoint>
  /** Bodies as received, for what must not be in them. */
  readonly text: () => string
  readonly resource: () => { readonly [name: string]: unknown }
  readonly headers: () => ReadonlyArray<IncomingHttpHeaders>
  readonly close: () => Promise<void>
}

/** `status` of every answer, and where it redirects to. */
export const collector = async (
  status: number | "no answer" = 200,
  port = 0,
  location?: string,
): Promise<Collector> => {
  const bodies: Array<{ readonly path: string; readonly body: any }> = []
  const headers: Array<IncomingHttpHeaders> = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      bodies.push({ path: request.url!, body })
      headers.push(request.headers)
      if (status !== "no answer")
        response.writeHead(status, location === undefined ? {} : { location }).end("{}")
    })
  })
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening))
  const at = (path: string) => bodies.filter((one) => one.path === path)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      at("/v1/traces")
        .flatMap(({ body }) => body.resourceSpans[0].scopeSpans[0].spans)
        .map((span) => ({
          id: span.spanId,
          trace: span.traceId,
          name: span.name,
          kind: span.kind,
          parent: span.parentSpanId,
          start: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
          end: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
          error: span.status.code === 2 ? span.status.message : undefined,
          attributes: valuesOf(span.attributes),
        })),
    points: () =>
      (at("/v1/metrics").at(-1)?.body.resourceMetrics[0].scopeMetrics[0].metrics ?? []).flatMap(
        ({ histogram, name, sum, unit }: any) =>
          (histogram ?? sum).dataPoints.map((point: any) => ({
            metric: name,
            unit,
            attributes: valuesOf(point.attributes),
            sum: Number(point.sum ?? point.asDouble ?? point.asInt),
            count: point.count === undefined ? undefined : Number(point.count),
          })),
      ),
    text: () => JSON.stringify(bodies),
    resource: () => valuesOf(at("/v1/traces")[0]!.body.resourceSpans[0].resource.attributes),
    headers: () => headers,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const valuesOf = (attributes: ReadonlyArray<any>) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [held] = Object.entries(value)
      const [type, given] = held as [string, unknown]
      return [key, type === "intValue" ? Number(given) : given]
    }),
  )

/** Spans as a tree in order of their start: `name start–end error`, in milliseconds since the first start. */
export const tree = (spans: ReadonlyArray<ReceivedSpan>): ReadonlyArray<string> => {
  const origin = Math.min(...spans.map(({ start }) => start))
  const below = (parent: string | undefined, indent: string): ReadonlyArray<string> =>
    spans
      .filter((span) => span.parent === parent)
      .toSorted((a, b) => a.start - b.start)
      .flatMap(({ end, error = "", id, name, start }) => [
        `${indent}${name} ${start - origin}–${end - origin} ${error}`.trimEnd(),
        ...below(id, `${indent}  `),
      ])
  return below(undefined, "")
}
