/** Checks a conversation before a run against what the workflow keeps of one. */
import { hint } from "@planloom/expression/suggestion"
import type { Definition, DocumentPath, SessionDefinition } from "../Definition.ts"
import type { Past } from "../Past.ts"
import type { Problem } from "../Problem.ts"
import { schemaFit } from "../schemaFit.ts"

/** Everything that no session of this workflow can hold, and what would have no effect. `tools` are their names, if all of them are known. */
export const pastProblems = (
  past: Past,
  at: DocumentPath,
  { name, session }: Pick<Definition, "name" | "session">,
  tools: ReadonlyArray<string> | undefined,
): ReadonlyArray<Problem> => {
  if (session === undefined) {
    return [
      {
        code: "PL0101",
        path: at,
        spot: "key",
        message: `the workflow "${name}" keeps no session`,
        help: "remove it, or declare what a turn keeps: session: { request: …, assistant: … }",
      },
    ]
  }
  return [
    ...turnProblems(past, at, session),
    ...callProblems(past, at, session, tools),
    ...entityProblems(past, at, session),
    ...stateProblems(past, at, session),
  ]
}

const turnProblems = (
  { summary, turns }: Past,
  at: DocumentPath,
  { compact, window }: SessionDefinition,
): ReadonlyArray<Problem> => {
  const most = compact?.after ?? window
  const problems: Array<Problem> = []
  if (turns.length > most) {
    problems.push({
      code: "PL0106",
      path: [...at, "turns"],
      message: `the session holds at most ${most} turns, so the first ${turns.length - most} of ${turns.length} have no effect`,
      help:
        compact === undefined
          ? "remove them, or raise `window` of the session"
          : "write what is left of them under summary",
    })
  }
  if (summary !== "" && compact === undefined) {
    problems.push({
      code: "PL0106",
      path: [...at, "summary"],
      message: "the session has no summary, because it drops older turns",
      help: "remove it, or declare `compact` in the session",
    })
  }
  return problems
}

const callProblems = (
  { turns }: Past,
  at: DocumentPath,
  { compact, entities }: SessionDefinition,
  tools: ReadonlyArray<string> | undefined,
): ReadonlyArray<Problem> =>
  turns.flatMap(({ calls }, turn) =>
    calls.flatMap(({ tool }, index): ReadonlyArray<Problem> => {
      const path = [...at, "turns", turn, "calls", index]
      if (entities === 0 && compact === undefined) {
        const message = "a session without entities and `compact` holds nothing of calls"
        return [{ code: "PL0106", path, message, help: keepEntities }]
      }
      if (tools === undefined || tools.includes(tool)) return []
      const message = `there is no tool "${tool}"`
      const help = hint(tool, tools, "there are")
      return [{ code: "PL4008", path: [...path, "tool"], message, help }]
    }),
  )

const keepEntities = "remove them, or keep entities in the workflow: session: { entities: 20, … }"

const entityProblems = (
  { entities }: Past,
  at: DocumentPath,
  { entities: most }: SessionDefinition,
): ReadonlyArray<Problem> =>
  entities.length <= most
    ? []
    : [
        {
          code: "PL0106",
          path: [...at, "entities"],
          message:
            most === 0
              ? "the session holds no entities"
              : `the session holds at most ${most} entities, so the last ${entities.length - most} of ${entities.length} have no effect`,
          help: most === 0 ? keepEntities : "remove them, or raise `entities` of the session",
        },
      ]

const stateProblems = (
  { state: given }: Past,
  at: DocumentPath,
  { state }: SessionDefinition,
): ReadonlyArray<Problem> =>
  Object.entries(given).flatMap(([name, value]): ReadonlyArray<Problem> => {
    const path = [...at, "state", name]
    if (Object.hasOwn(state, name)) {
      return schemaFit(value, state[name]!.schema, path, `the state "${name}"`)
    }
    const names = Object.keys(state)
    const help =
      names.length === 0 ? "the session has no state" : hint(name, names, "its state has")
    return [{ code: "PL0101", path, spot: "key", message: `there is no state "${name}"`, help }]
  })
