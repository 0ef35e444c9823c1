/** People as a test wants them: each question gets the first answer that is for it. */
import * as Effect from "effect/Effect"
import type { Json, Wait } from "@planloom/plugin/effect"
import { lastOf } from "@planloom/plugin/segments"
import type { AnswerNow } from "@planloom/core"
import { approveAll } from "./approveAll.ts"
import type { ScriptedAnswer } from "../file/WorkflowTest.ts"

export class ScriptedAnswers {
  private readonly script: ReadonlyArray<ScriptedAnswer>
  private readonly given = new Set<number>()
  private readonly otherwise: AnswerNow

  /** `otherwise` answers what no answer is for; unless given, an approval is given and nothing else is said. */
  constructor(script: ReadonlyArray<ScriptedAnswer>, otherwise: AnswerNow = approveAll) {
    this.script = script
    this.otherwise = otherwise
  }

  readonly answer = (wait: Wait): Effect.Effect<Json | undefined> =>
    Effect.suspend(() => {
      const index = this.script.findIndex(
        (one, position) => !this.given.has(position) && isFor(one, wait),
      )
      if (index < 0) return this.otherwise(wait)
      this.given.add(index)
      return Effect.succeed(this.script[index]!.value)
    })

  unused(): ReadonlyArray<{ readonly index: number; readonly to: string }> {
    return this.script.flatMap(({ name, stage }, index) =>
      this.given.has(index)
        ? []
        : [{ index, to: name === undefined ? `the stage "${stage}"` : `"${name}"` }],
    )
  }
}

/** A stage is meant by its id, in whatever block, round, item or iteration it asks. */
const isFor = ({ name, stage }: ScriptedAnswer, wait: Wait): boolean =>
  name === undefined ? wait.path === stage || idAt(wait.path) === stage : writtenName(wait) === name

/** The name of an approval is written without the part of its digest, which differs from run to run. */
const writtenName = ({ digest, name }: Wait): string =>
  digest === undefined ? name : name.slice(0, name.lastIndexOf(":"))

const idAt = (path: string): string => lastOf(path).id
