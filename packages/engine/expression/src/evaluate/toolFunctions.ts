/** Expression functions on the tools that a prompt may name. */
import type { JsonObject } from "@planloom/plugin/effect"
import { meansTool, toolCards, type CardTool } from "@planloom/plugin/cards"
import { define, fail } from "./ExpressionFunction.ts"
import type { ExpressionFunction } from "./ExpressionFunction.ts"
import { any, int, listOf, mapOf, membersOf, namesIn, objectOf, string } from "../infer/Type.ts"
import type { Type } from "../infer/Type.ts"

/** Tokens of cards unless given: about as many as the index of an agent's tools has. */
const MAX_TOKENS = 1600

const options: { readonly [name: string]: Type } = {
  group: string,
  names: listOf(string),
  max_tokens: int,
}

interface Options {
  readonly group?: string
  readonly names?: ReadonlyArray<string>
  readonly max_tokens?: number
}

/** A tool of the list; others are left out. */
type Listed = CardTool & { readonly group?: string }

const cards = (
  tools: ReadonlyArray<JsonObject>,
  { group, max_tokens, names }: Options = {},
): string => {
  const most = max_tokens ?? MAX_TOKENS
  if (!(most > 0)) return fail("max_tokens of cards() is not a positive number")
  const chosen = (tools as unknown as ReadonlyArray<Listed>).filter(
    (tool) =>
      (group === undefined || tool.group === group) &&
      (names === undefined || names.some((name) => meansTool(name, tool.name))),
  )
  return toolCards(chosen, most)
}

export const toolFunctions = (): ReadonlyArray<ExpressionFunction> => [
  define("cards(tools, options?: object) → text", {
    summary:
      "Tools as a prompt names them, one line each: whole if all of them have at most `max_tokens` (1600 unless given), else with shorter summaries and params. `group` and `names` choose among them.",
    example: [
      "[{'name': 'dig', 'summary': 'Digs.', 'params': {'properties': {'depth': {'type': 'integer'}}}}].cards({'max_tokens': 100})",
      "- dig(depth: integer): Digs.",
    ],
    params: [listOf(objectOf({ name: string, summary: string, params: mapOf(any) })), mapOf(any)],
    optional: 1,
    returns: string,
    check: ([, given]) => {
      for (const member of membersOf(given ?? any)) {
        if (member.kind !== "object") continue
        const unknown = namesIn(member).find((name) => !Object.hasOwn(options, name))
        if (unknown !== undefined) {
          return {
            index: 1,
            code: "PL1203",
            message: `cards() has no option "${unknown}"`,
            help: `there are: ${Object.keys(options).join(", ")}`,
          }
        }
      }
      return undefined
    },
    apply: cards as never,
  }),
]
