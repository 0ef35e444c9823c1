/** A listed tool of a server → the tool of a workflow, by what the workflow declares of the server. */
import type { JsonSchema, Tool } from "@planloom/plugin/effect"
import { plainResult } from "../results/plainResult.ts"
import { believesReads, matches, type Server } from "../servers/Server.ts"
import type { ListedTool } from "./cleanTool.ts"

/** Whether a workflow may use a tool of a server. */
export const isAllowed = ({ tools: { allow, deny } }: Server, raw: string): boolean =>
  (allow === undefined || matches(raw, allow)) && !matches(raw, deny)

export const nameOf = ({ prefix }: Server, name: string): string => `${prefix}.${name}`

/** A tool is a read only if a person vouches for what the server says. */
export const toolOf = (server: Server, listed: ListedTool): Tool => {
  const {
    idempotent,
    isResource,
    name,
    params,
    prompt,
    raw,
    readOnly,
    summary,
    title,
    when_to_use: when,
  } = listed
  const { prefix, sampling, timeout } = server
  const believes = believesReads(server)
  const reads = isResource === true || prompt !== undefined || (readOnly === true && believes)
  const result = resultOf(server, raw, listed.result)
  return {
    name: nameOf(server, name),
    ...(title === undefined ? {} : { title }),
    summary,
    ...(when === undefined ? {} : { when_to_use: when }),
    group: prefix,
    capabilities: [],
    inputs: {},
    params,
    ...(result === undefined ? {} : { result }),
    outputs: ["object"],
    ...(prompt === undefined ? {} : { offered: false }),
    effect: reads ? "read" : "write",
    ...(reads || (believes && idempotent === true) ? { idempotent: true } : {}),
    timeout,
    ...(sampling ? { asks: [{ way: "text", times: MAX_SAMPLINGS }] } : {}),
  }
}

/** Questions to the stage's model in one call. */
export const MAX_SAMPLINGS = 10

/** Undefined for a tool whose JSON is not described: a catalog may do so. */
const resultOf = (
  { tools: { json, whole } }: Server,
  raw: string,
  declared: JsonSchema | undefined,
): JsonSchema | undefined =>
  matches(raw, whole) ? plainResult : (declared ?? (matches(raw, json) ? undefined : plainResult))
