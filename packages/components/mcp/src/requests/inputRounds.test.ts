/** Calls that a server answers with questions. */
import { expect, it } from "vitest"
import { inputRounds } from "./inputRounds.ts"

const question = {
  resultType: "input_required",
  inputRequests: { name: { method: "elicitation/create", params: { message: "Who?" } } },
  requestState: "opaque",
}

/** Sends to a server that gives these results in turn. */
const rounds = (results: ReadonlyArray<object>, mayRepeat: () => void = () => {}) => {
  const sent: Array<object> = []
  const asked: Array<string> = []
  const result = inputRounds({
    params: { name: "tool", arguments: { a: 1 } },
    send: async (params) => {
      sent.push(params)
      return results[sent.length - 1]!
    },
    answerer: async ({ method }) => {
      asked.push(method)
      return { action: "accept" }
    },
    signal: new AbortController().signal,
    mayRepeat,
  })
  return { asked, result, sent }
}

it("a result that asks nothing is the first round's", async () => {
  const { asked, result, sent } = rounds([{ content: [] }])
  expect(await result).toEqual({ content: [] })
  expect([asked, sent]).toEqual([[], [{ name: "tool", arguments: { a: 1 } }]])
})

it("a call is made again with the answers and the state that the server gave", async () => {
  const { asked, result, sent } = rounds([question, { content: [] }])
  expect(await result).toEqual({ content: [] })
  expect(asked).toEqual(["elicitation/create"])
  expect(sent[1]).toEqual({
    name: "tool",
    arguments: { a: 1 },
    inputResponses: { name: { action: "accept" } },
    requestState: "opaque",
  })
})

it("a call is not made again once it may no longer be made", async () => {
  const { result, sent } = rounds([question, { content: [] }], () => {
    throw new Error("the tool has changed")
  })
  await expect(result).rejects.toThrow("the tool has changed")
  expect(sent).toHaveLength(1)
})

it("a call with too many questions in one round asks none of them", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 21 }, (_, at) => [`q${at}`, question.inputRequests.name]),
  )
  const { asked, result } = rounds([{ ...question, inputRequests: many }])
  await expect(result).rejects.toThrow("more input")
  expect(asked).toEqual([])
})
