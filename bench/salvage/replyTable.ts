/** How contenders read replies: percent right and percent changed without a refusal, the mean of kinds. */
import type { Contender } from "./contenders.ts"
import { passes, type Answer } from "./Row.ts"
import { replies, REPLY_SETS, type Reply } from "./replies.ts"

const COUNT = 24

const outcome = (contender: Contender, reply: Reply): "right" | "refused" | "changed" => {
  let answer: Answer
  try {
    answer = contender.read(reply)
  } catch {
    return "refused"
  }
  return passes("replies", reply, answer) ? "right" : answer === undefined ? "refused" : "changed"
}

const mean = (values: ReadonlyArray<number>) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** One line for each set: `right / changed`. */
export const replyTable = (
  contenders: ReadonlyArray<Contender>,
): ReadonlyArray<{ readonly name: string; readonly cells: ReadonlyArray<string> }> => {
  const all = replies(COUNT)
  return REPLY_SETS.map((set) => {
    const kinds = Map.groupBy(
      all.filter((reply) => reply.set === set),
      ({ id }) => id.split("/")[0]!,
    )
    const cells = contenders.map((contender) => {
      const outcomes = [...kinds.values()].map((asked) =>
        asked.map((reply) => outcome(contender, reply)),
      )
      const share = (wanted: string) =>
        mean(
          outcomes.map((each) => (100 * each.filter((one) => one === wanted).length) / each.length),
        )
      return `${share("right").toFixed(1)} / ${share("changed").toFixed(1)}`
    })
    return { name: `${set} (${[...kinds.values()].flat().length})`, cells }
  })
}
