/** The outcomes of the forms of tasks at clients: an answer that was rejected is asked again, a form that was left is not. */
import type { Wait } from "@planloom/plugin/effect"

interface Asked {
  /** Answers that were rejected. */
  readonly tries: number
  /** The reason against the last one. */
  readonly rejected?: string
  /** The form was left without an answer. */
  readonly left?: string
}

/** Questions that are remembered, in the memory of the server; then the oldest is asked anew. */
const MAX_QUESTIONS = 10_000

export class AskedQuestions {
  private readonly questions = new Map<string, Asked>()

  of(run: string, { name }: Wait): Asked {
    return this.questions.get(idOf(run, name)) ?? { tries: 0 }
  }

  /** The key of the form, which is another one for each try: a client answers no key twice. */
  keyOf(run: string, wait: Wait): string {
    const { tries } = this.of(run, wait)
    return tries === 0 ? wait.name : `${wait.name}#${tries + 1}`
  }

  add(run: string, wait: Wait, outcome: Pick<Asked, "left" | "rejected">): void {
    const { tries } = this.of(run, wait)
    const id = idOf(run, wait.name)
    this.questions.delete(id)
    this.questions.set(id, {
      ...outcome,
      tries: outcome.rejected === undefined ? tries : tries + 1,
    })
    if (this.questions.size > MAX_QUESTIONS) {
      this.questions.delete(this.questions.keys().next().value!)
    }
  }
}

const idOf = (run: string, question: string): string => `${run}\n${question}`
