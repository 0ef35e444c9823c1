/** The tools of one server as they were last synchronized: what is kept on disk. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { Era } from "../connection/Connection.ts"
import type { Json } from "@planloom/schema"
import { cleanTool, type ListedTool } from "./cleanTool.ts"
import { PROMPTS, promptTool } from "./promptTools.ts"
import { resourceTools } from "./resourceTools.ts"
import type { FlaggedTool } from "./flaggedTools.ts"
import type { RawList } from "./readPages.ts"
import { withheldReason, type WithheldTool } from "./WithheldTool.ts"

export interface ServerList {
  /** Of this format. */
  readonly version: 1
  /** The name of the server, for people who look at the file. */
  readonly server: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Epoch milliseconds until which it holds: `at` for a list that holds for no time, which only `check` reads from disk. */
  readonly expires: number
  readonly era: Era
  /** Epoch milliseconds at which the server was asked for it. */
  readonly eraAt: number
  readonly capabilities: JsonObject
  readonly tools: ReadonlyArray<ListedTool>
  /** Tools that are left out. */
  readonly dropped: ReadonlyArray<{ readonly name: string; readonly why: string }>
  readonly truncated?: string
  /** It has prompts, which it could not list. */
  readonly lacksPrompts?: true
  /** Tools whose texts have phrases that instruct a model. */
  readonly flagged?: ReadonlyArray<FlaggedTool>
  /** Tools that changed since they were approved. */
  readonly withheld?: ReadonlyArray<WithheldTool>
}

/** Of a server that says nothing about it. */
const DEFAULT_TTL_MS = 3_600_000
const MAX_TTL_MS = 86_400_000
/** Of a list whose prompts are unknown. */
const LACKING_TTL_MS = 60_000

export interface Listing {
  readonly server: string
  readonly era: Era
  readonly eraAt: number
  readonly capabilities: JsonObject
  readonly raw: RawList
  /** Its prompts, or the reason why they are unknown; undefined for a server without prompts. */
  readonly prompts?: RawList | string | undefined
  readonly hide: (text: string) => string
  readonly isHttp: boolean
  /** Epoch milliseconds. */
  readonly now: number
}

const noPrompts: RawList = { entries: [], ttlMs: undefined }

/** One bad tool is left out alone; of two with one name the first stays. */
export const serverList = ({
  capabilities,
  era,
  eraAt,
  hide,
  isHttp,
  now,
  prompts = noPrompts,
  raw,
  server,
}: Listing): ServerList => {
  const tools = new Map<string, ListedTool>()
  const dropped: Array<{ readonly name: string; readonly why: string }> = []
  const keep = (made: ReturnType<typeof cleanTool>): void => {
    if (!("tool" in made)) dropped.push(made)
    else if (tools.has(made.tool.name))
      dropped.push({ name: made.tool.name, why: "another tool has the same name" })
    else tools.set(made.tool.name, made.tool)
  }
  for (const given of raw.entries) keep(cleanTool(given, hide, isHttp))
  const listed = typeof prompts === "string" ? noPrompts : prompts
  for (const given of listed.entries) keep(promptTool(given, hide))
  const lacksPrompts = typeof prompts === "string"
  if (lacksPrompts) dropped.push({ name: `${PROMPTS}*`, why: prompts })
  const truncated = raw.truncated ?? listed.truncated
  const longest = Math.min(raw.ttlMs ?? DEFAULT_TTL_MS, listed.ttlMs ?? DEFAULT_TTL_MS)
  const ttl = Math.min(lacksPrompts ? LACKING_TTL_MS : MAX_TTL_MS, Math.max(0, longest))
  return {
    version: 1,
    server,
    at: now,
    expires: now + ttl,
    era,
    eraAt,
    capabilities,
    tools: [...tools.values(), ...resourceTools(capabilities, tools)],
    dropped: dropped.slice(0, MAX_DROPPED),
    ...(truncated === undefined ? {} : { truncated }),
    ...(lacksPrompts ? { lacksPrompts } : {}),
  }
}

/** The list of a server of the older revision that stated these tools, without a word on how long they hold. */
export const statedList = (
  server: string,
  {
    now = 0,
    prompts = [],
    tools,
  }: {
    readonly tools: ReadonlyArray<Json>
    readonly prompts?: ReadonlyArray<Json>
    /** Epoch milliseconds. */
    readonly now?: number
  },
): ServerList =>
  serverList({
    server,
    era: { kind: "legacy" },
    eraAt: 0,
    capabilities: {},
    raw: { entries: tools, ttlMs: undefined },
    prompts: { entries: prompts, ttlMs: undefined },
    hide: (text) => text,
    isHttp: false,
    now,
  })

const MAX_DROPPED = 50

/** The gaps in a list, in one line for people. */
export const missingIn = ({ dropped, truncated }: ServerList): string | undefined => {
  const named = dropped.slice(0, SHOWN_DROPPED).map(({ name, why }) => `"${name}" (${why})`)
  const more = dropped.length > SHOWN_DROPPED ? ` and ${dropped.length - SHOWN_DROPPED} more` : ""
  const parts = [
    ...(named.length === 0 ? [] : [`without ${named.join(", ")}${more}`]),
    ...(truncated === undefined ? [] : [truncated]),
  ]
  return parts.length === 0 ? undefined : parts.join("; ")
}

const SHOWN_DROPPED = 5

/** Concerns about the listed tools for a person, one sentence each. */
export const concernsOf = ({
  flagged = [],
  server,
  withheld = [],
}: ServerList): ReadonlyArray<string> => [
  ...withheld.map(
    (one) => `"${one.name}" of the server "${server}" is withheld: ${withheldReason(one)}`,
  ),
  ...flagged.map(
    ({ name, signs }) =>
      `the texts of "${name}" of the server "${server}" instruct a model (${signs.join(", ")})`,
  ),
]
