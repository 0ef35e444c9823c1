/** Lists of servers that a test gives in place of servers: as these would send them, or with a failure. */
import * as Effect from "effect/Effect"
import type { GivenTools } from "@planloom/plugin/effect"
import type { Json } from "@planloom/schema"
import { serverOf } from "../servers/readServers.ts"
import type { WrittenServer } from "../servers/Server.ts"
import { joinLists } from "./joinLists.ts"
import { missingIn, statedList } from "./ServerList.ts"

interface GivenServer extends Pick<WrittenServer, "trust"> {
  readonly tools?: ReadonlyArray<Json>
  readonly prompts?: ReadonlyArray<Json>
  readonly fail?: string
}

export const givenTools: GivenTools = {
  schema: {
    type: "object",
    description: "Servers by prefix.",
    additionalProperties: {
      type: "object",
      properties: {
        tools: {
          type: "array",
          items: { type: "object" },
          description: "Its tools, as the server would list them.",
        },
        prompts: {
          type: "array",
          items: { type: "object" },
          description: "Its prompts, as the server would list them.",
        },
        fail: { type: "string", description: "Why it cannot list its tools." },
        trust: { enum: ["reads"], description: "As in the declaration of a server." },
      },
      additionalProperties: false,
    },
  },
  list: (value) =>
    Effect.sync(() =>
      joinLists(
        Object.entries(value as unknown as { readonly [prefix: string]: GivenServer }).map(
          ([prefix, { fail, prompts = [], tools = [], trust }]) => {
            const server = serverOf(prefix, { command: "given", ...(trust && { trust }) }, "/", "/")
            if (fail !== undefined) {
              return { server, list: undefined, problem: `the server "${prefix}": ${fail}` }
            }
            const list = statedList(prefix, { tools, prompts })
            const missing = missingIn(list)
            return {
              server,
              list,
              ...(missing === undefined ? {} : { problem: `the server "${prefix}": ${missing}` }),
            }
          },
        ),
      ),
    ),
}
