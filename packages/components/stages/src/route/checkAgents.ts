/** Names of agents, flows and states that do not exist, states that nothing leads to or out of, and tools that cannot be called where they are named. */
import {
  isToolPattern,
  type Json,
  type JsonObject,
  type Problem,
  type Reference,
} from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { namedTools } from "../ToolChoice.ts"
import { navigationTools } from "./navigation.ts"

type Path = ReadonlyArray<string | number>

const entriesOf = (value: Json | undefined): ReadonlyArray<readonly [string, JsonObject]> =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, one]) =>
        isObject(one) ? [[name, one as JsonObject] as const] : [],
      )
    : []

const listOf = (value: Json | undefined): ReadonlyArray<Json> =>
  Array.isArray(value) ? (value as ReadonlyArray<Json>) : []

const textsOf = (value: Json | undefined): ReadonlyArray<readonly [number, string]> =>
  listOf(value).flatMap((one, at) => (typeof one === "string" ? [[at, one] as const] : []))

const unknown = (
  code: string,
  what: string,
  name: Json | undefined,
  known: ReadonlyArray<string>,
  at: Path,
): ReadonlyArray<Problem> =>
  typeof name !== "string" || name.includes("${{") || known.includes(name)
    ? []
    : [
        {
          code,
          message: `there is no ${what} "${name}"`,
          at,
          fix: known.length === 0 ? `declare a ${what}` : `it is one of: ${known.join(", ")}`,
        },
      ]

export const checkAgents = ({ agents, start }: JsonObject): ReadonlyArray<Problem> => {
  const all = entriesOf(agents)
  const names = all.map(([name]) => name)
  return [
    ...unknown("ROUTE001", "agent", start, names, ["start"]),
    ...all.flatMap(([name, { flows, hands_over_to: heirs, tools }]) => [
      ...textsOf(heirs).flatMap(([at, heir]) =>
        unknown("ROUTE001", "agent", heir, names, ["agents", name, "hands_over_to", at]),
      ),
      ...namedTools(tools).flatMap(({ at, id }) =>
        navigationTools.includes(id)
          ? [
              {
                code: "ROUTE003",
                message: `"${id}" is a navigation tool that every agent has`,
                at: ["agents", name, "tools", ...at],
                fix: "give the tool of the workflow another name",
              },
            ]
          : [],
      ),
      ...entriesOf(flows).flatMap(([flow, one]) => {
        const path = ["agents", name, "flows", flow]
        return [...checkFlow(one, path), ...stateTools(one, toolNames(tools), name, path)]
      }),
    ]),
  ]
}

/** Names of the tools of an agent; undefined if a search, a group, a pattern or an expression gives some. */
const toolNames = (tools: Json | undefined): ReadonlyArray<string> | undefined => {
  const named = namedTools(tools).map(({ id }) => id)
  const isWhole = tools === undefined || (Array.isArray(tools) && tools.length === named.length)
  const isOpen = named.some((name) => name.includes("${{") || isToolPattern(name))
  return isWhole && !isOpen ? named : undefined
}

/** Tools of states and transitions that cannot be called there. */
const stateTools = (
  { states }: JsonObject,
  ofAgent: ReadonlyArray<string> | undefined,
  agent: string,
  path: Path,
): ReadonlyArray<Problem> =>
  entriesOf(states).flatMap(([state, { final, next, tools }]) => {
    const place: Path = [...path, "states", state]
    const own = tools === undefined ? undefined : textsOf(tools).map(([, name]) => name)
    // An expression may give any of them.
    const isOpen = typeof tools === "string" || own?.some((name) => name.includes("${{")) === true
    const callable = isOpen ? undefined : (own ?? ofAgent)
    const problem = (message: string, at: Path, fix: string) => ({
      code: "ROUTE005",
      message,
      at: [...place, ...at],
      fix,
    })
    if (final === true) return []
    return [
      ...textsOf(tools).flatMap(([at, name]) =>
        ofAgent === undefined || ofAgent.includes(name) || name.includes("${{")
          ? []
          : [
              problem(
                `"${name}" is not a tool of the agent "${agent}", and a state only limits its tools`,
                ["tools", at],
                `add it to \`tools\` of "${agent}"`,
              ),
            ],
      ),
      ...listOf(next).flatMap((one, at) => {
        const tool = isObject(one) ? one["tool"] : undefined
        const taken = listOf(next)
          .slice(0, at)
          .some((other) => isObject(other) && other["tool"] === tool && other["when"] === undefined)
        if (typeof tool === "string" && taken) {
          const message = `a transition before this one is made by every call of "${tool}"`
          return [problem(message, ["next", at], "remove it, or give the first one a `when`")]
        }
        return typeof tool !== "string" || callable === undefined || callable.includes(tool)
          ? []
          : [
              problem(
                `"${tool}" cannot be called in the state "${state}", so this transition is never made`,
                ["next", at, "tool"],
                own === undefined
                  ? `add it to \`tools\` of "${agent}"`
                  : "add it to `tools` of the state",
              ),
            ]
      }),
    ]
  })

const checkFlow = ({ start, states }: JsonObject, path: Path): ReadonlyArray<Problem> => {
  const all = entriesOf(states)
  const names = all.map(([name]) => name)
  const reached = new Set([
    start,
    ...all.flatMap(([, { next }]) => listOf(next).map((one) => isObject(one) && one["to"])),
  ])
  return [
    ...unknown("ROUTE002", "state", start, names, [...path, "start"]),
    ...all.flatMap(([name, { final, next }]) => [
      ...listOf(next).flatMap((one, at) =>
        isObject(one)
          ? unknown("ROUTE002", "state", one["to"] as Json, names, [
              ...path,
              "states",
              name,
              "next",
              at,
              "to",
            ])
          : [],
      ),
      ...(reached.has(name)
        ? []
        : [
            {
              code: "ROUTE004",
              message: `no transition leads to the state "${name}"`,
              at: [...path, "states", name],
              fix: `add a transition to it, or remove it`,
            },
          ]),
      ...(final === true || listOf(next).length > 0
        ? []
        : [
            {
              code: "ROUTE004",
              message: `no transition leads out of the state "${name}"`,
              at: [...path, "states", name],
              fix: "add a transition under next, or write final: true",
            },
          ]),
    ]),
  ]
}

/** Tools that agents, states and transitions name; expressions name none. */
export const toolReferences = (agents: Json | undefined): ReadonlyArray<Reference> =>
  allReferences(agents).filter(({ id }) => !id.includes("${{"))

const allReferences = (agents: Json | undefined): ReadonlyArray<Reference> =>
  entriesOf(agents).flatMap(([agent, { flows, tools }]) => {
    const path: Path = ["agents", agent]
    return [
      ...namedTools(tools).map((one) => ({ ...one, at: [...path, "tools", ...one.at] })),
      ...entriesOf(flows).flatMap(([flow, { states }]) =>
        entriesOf(states).flatMap(([state, { next, tools: own }]) => {
          const inside: Path = [...path, "flows", flow, "states", state]
          return [
            ...textsOf(own).map(([at, id]) => ({ to: "tool", id, at: [...inside, "tools", at] })),
            ...listOf(next).flatMap((one, at) => {
              const tool = isObject(one) ? one["tool"] : undefined
              return typeof tool === "string"
                ? [{ to: "tool", id: tool, at: [...inside, "next", at, "tool"] }]
                : []
            }),
          ]
        }),
      ),
    ]
  })
