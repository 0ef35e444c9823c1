/** The lists of several servers → the list of the tool source. */
import type { Tool, ToolList } from "@planloom/plugin/effect"
import type { Server } from "../servers/Server.ts"
import { failureText, timeText, type ListFailure } from "./FailureStore.ts"
import { concernsOf, missingIn, type ServerList } from "./ServerList.ts"
import { PROMPTS } from "./promptTools.ts"
import { readableForm, withheldReason } from "./WithheldTool.ts"
import { isAllowed, toolOf } from "./toolOf.ts"

/** A server's list, or the reason why it is unknown. */
export interface ListPart {
  readonly server: Server
  readonly list: ServerList | undefined
  readonly problem?: string | undefined
  /** Why it could not be listed last, if that was later than its list. */
  readonly failure?: ListFailure | undefined
  /** The reason why its command may not be started. */
  readonly refusal?: string | undefined
  /** Whether the server itself was asked, if its list is out of date. */
  readonly isRead?: true
}

/** Whether a list has all tools of its server: one that holds for no time does so only while it is new. */
const holds = ({ at, expires, truncated }: ServerList, isRead = false): boolean =>
  truncated === undefined && (isRead || expires > at)

export const joinLists = (parts: ReadonlyArray<ListPart>): ToolList => {
  const lists = parts.flatMap(({ list }) => list ?? []).filter(({ at, expires }) => expires > at)
  const problems = parts.flatMap((part) => problemOf(part) ?? [])
  const open = parts.flatMap(({ isRead, list, server }) =>
    list === undefined || !holds(list, isRead)
      ? [`${server.prefix}.*`]
      : list.lacksPrompts === true
        ? [`${server.prefix}.${PROMPTS}*`]
        : [],
  )
  const concerns = parts.flatMap(concernsIn)
  return {
    tools: parts.flatMap(toolsOf),
    ...(concerns.length === 0 ? {} : { concerns }),
    ...(problems.length === 0 ? {} : { partial: problems.join("; ") }),
    ...(open.length === 0 ? {} : { open }),
    ...(lists.length === 0
      ? {}
      : {
          synchronized: Math.min(...lists.map(({ at }) => at)),
          expires: Math.min(...lists.map(({ expires }) => expires)),
        }),
  }
}

/** A server that was never listed has the reason of its last failure. */
const problemOf = ({ failure, list, problem }: ListPart): string | undefined =>
  problem ?? (list === undefined && failure !== undefined ? failureText(failure) : undefined)

/** The concerns of a part. The gaps of one that was just read are the problem of its part. */
const concernsIn = ({ failure, isRead, list, server }: ListPart): ReadonlyArray<string> => {
  const { distrust, name, trustsReads } = server
  const doubt =
    distrust === undefined || !trustsReads
      ? []
      : [`all tools of the server "${name}" count as writes: ${distrust}`]
  if (list === undefined) return doubt
  const missing = isRead === true ? undefined : missingIn(list)
  return [
    ...doubt,
    ...(failure === undefined
      ? []
      : [`${failureText(failure)}; its list of ${timeText(list.at)} is used`]),
    ...(missing === undefined ? [] : [`the server "${list.server}": ${missing}`]),
    ...concernsOf(list),
  ]
}

const toolsOf = ({ list, refusal, server }: ListPart): ReadonlyArray<Tool> =>
  (list?.tools ?? [])
    .filter(({ raw }) => isAllowed(server, raw))
    .map((listed) => {
      const withheld = list?.withheld?.find(({ name }) => name === listed.name)
      const available = refusal ?? (withheld && withheldReason(withheld))
      return {
        ...toolOf(server, withheld === undefined ? listed : readableForm(listed, withheld)),
        ...(available === undefined ? {} : { available }),
      }
    })
