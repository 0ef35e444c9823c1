/** The conversations of docs/remittance_concierge.md, as it shows them: each sentence passes the service's own reviews. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ana, calls, openConcierge, type Said } from "./concierge/concierge.ts"
import { inSpanish, text, to } from "./concierge/Scripted.ts"

const page = readFileSync(
  join(import.meta.dirname, "../../../../docs/remittance_concierge.md"),
  "utf8",
)

interface Shown {
  readonly message: string
  /** What a person approves. */
  readonly approvals: ReadonlyArray<string>
  readonly reply: string
}

/** Turns of `> message`, `? question` and the lines of the reply. */
const conversations = [...page.matchAll(/^```\n(> [\s\S]*?)^```$/gm)].map(([, block = ""]) => ({
  user: block.includes("quiero") ? inSpanish : ana,
  turns: block.split(/^(?=> )/m).map((turn): Shown => {
    const [message = "", ...lines] = turn.trim().split("\n")
    const isQuestion = (line: string) => line.startsWith("? ")
    return {
      message: message.slice("> ".length),
      approvals: lines.filter(isQuestion).map((line) => line.slice("? ".length)),
      reply: lines.filter((line) => !isQuestion(line)).join("\n"),
    }
  }),
}))

const heard = ({ approvals, reply }: Said) => ({ approvals, reply })

const blocks = ({ events }: Said) =>
  events.filter((event) => event.type === "Reviewed" && event.verdict === "block")

describe("a conversation of the concierge's page", () => {
  it("is shown in both languages", () => {
    assert.deepStrictEqual(
      conversations.map(({ turns, user }) => [user["language"], turns.length]),
      [
        ["en", 3],
        ["en", 3],
        ["en", 5],
        ["es", 5],
      ],
    )
  })

  it.effect.each(conversations)("is as shown without a model: %#", ({ turns, user }) =>
    Effect.gen(function* () {
      const { say } = yield* openConcierge("none")
      for (const { message, ...shown } of turns) {
        const said = yield* say({ message, user })
        assert.deepStrictEqual(heard(said), shown, message)
        assert.deepStrictEqual(blocks(said), [])
      }
    }),
  )

  it.effect.each(conversations)("passes as the words of a model: %#", ({ turns, user }) =>
    Effect.gen(function* () {
      const plain = yield* openConcierge("none")
      const { say } = yield* openConcierge(undefined)
      let agent = "welcome"
      for (const { message, ...shown } of turns) {
        const { agent: served, calls: made } = (yield* plain.say({ message, user })).result.stages[
          "reply"
        ]!.output as unknown as {
          readonly agent: string
          readonly calls: ReadonlyArray<{ readonly tool: string; readonly params: {} }>
        }
        const said = yield* say({
          message,
          user,
          replies: [
            ...(served === agent ? [] : to(served)),
            ...made.map(({ params, tool }) => calls(tool, params)),
            text(shown.reply),
          ],
        })
        agent = served
        assert.deepStrictEqual(heard(said).reply, shown.reply, message)
        assert.lengthOf(said.approvals, shown.approvals.length)
        assert.deepStrictEqual(blocks(said), [])
      }
    }),
  )
})
