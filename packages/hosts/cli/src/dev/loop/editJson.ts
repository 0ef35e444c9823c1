/** A run of the edit loop as one line of JSON. The names are stable. */
import type { Edit } from "./Edit.ts"

/** `afterSave` is the time in milliseconds since the last of the files was saved. */
export const editJson = (
  { ms, number, result, saved, stages }: Edit,
  afterSave: number | undefined,
): string =>
  JSON.stringify({
    edit: number,
    saved,
    status: result.status,
    outputs: result.outputs,
    ...(result.failure === undefined ? {} : { failure: result.failure }),
    stages: stages.map(({ hasNewOutput, now, parts, work }) => ({
      path: now.path,
      work,
      outcome: now.outcome,
      calls: now.live,
      replayed: now.answered,
      tokens: now.tokens,
      cost: now.cost,
      spent: { tokens: now.spentTokens, cost: now.spentCost },
      new_output: hasNewOutput,
      parts,
    })),
    ms: { load: Math.round(ms.load), run: Math.round(ms.run), after_save: afterSave },
  })
