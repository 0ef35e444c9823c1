/** The shape of a conversation before a run. */
import type { Past, PastCall, PastEntity, PastTurn } from "../Past.ts"
import type { Shape } from "../Shape.ts"
import { jsonObject, list } from "./collections.ts"
import { defaulted, object, optional, required } from "./object.ts"
import { json, number, text } from "./scalars.ts"

const call: Shape<PastCall> = object(
  {
    tool: required(text("the name of a tool"), "The tool."),
    params: defaulted(jsonObject, {}, "Its params."),
    result: required(json, "Its result."),
  },
  {
    expected: "a call such as { tool: search, result: { … } }",
    aliases: { name: "tool", arguments: "params", args: "params", output: "result" },
  },
)

const turn: Shape<PastTurn> = object(
  {
    user: required(text(), "What the user said."),
    assistant: required(text(), "What was answered."),
    calls: defaulted(
      list(call),
      [],
      "Tool calls of the turn, in order; the session knows the entities of their results.",
    ),
  },
  {
    expected: "a turn such as { user: hello, assistant: Good morning. }",
    aliases: { request: "user", reply: "assistant", answer: "assistant", tools: "calls" },
  },
)

const entity: Shape<PastEntity> = object(
  {
    type: required(text("a type of entities"), "Its type, as a tool declares it."),
    id: required(text("an id"), "Its id."),
    name: optional(text(), "Its name; the id unless written."),
    turn: optional(
      number({ integer: true, minimum: 1 }),
      "The number of the turn that saw it last; the last one unless written.",
    ),
  },
  { expected: 'an entity such as { type: token, id: "0xa1" }' },
)

const noPast: Past = { summary: "", turns: [], entities: [], state: {} }

export const past: Shape<Past> = object(
  {
    turns: defaulted(list(turn), noPast.turns, "The turns before, oldest first."),
    entities: defaulted(
      list(entity),
      noPast.entities,
      "Things of tool results, last seen first; they go before those of the calls.",
    ),
    state: defaulted(jsonObject, noPast.state, "Values of the session's state, by name."),
    summary: defaulted(
      text(),
      noPast.summary,
      "The summary of the turns before `turns`, in a session with `compact`.",
    ),
  },
  { expected: "a session such as { turns: [ … ], entities: [ … ], state: { … } }" },
)
