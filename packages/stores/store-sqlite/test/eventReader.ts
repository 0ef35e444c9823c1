/** Reads a response of server-sent events. */
import type { Part } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"

interface Message {
  readonly id: string | undefined
  readonly event: string
  readonly data: any
}

/** Reads messages of a stream until one is as wanted; `rest` reads to the end. */
export const eventReader = (response: Response) => {
  const bytes = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let open = ""
  const messages: Array<Message> = []
  const more = async (): Promise<boolean> => {
    const { done, value } = await bytes.read()
    if (done) return false
    const whole = (open + value).split("\n\n")
    open = whole.pop()!
    for (const message of whole) {
      const data = /^data: (.*)$/m.exec(message)?.[1]
      if (data === undefined) continue
      const event = /^event: (.*)$/m.exec(message)?.[1] ?? "message"
      const id = /^id: (.*)$/m.exec(message)?.[1]
      messages.push({ id, event, data: JSON.parse(data) })
    }
    return true
  }
  const parts = (): ReadonlyArray<Part> =>
    messages.flatMap(({ data, event }) => (event === "part" ? [data as Part] : []))
  return {
    messages,
    parts,
    text: () =>
      parts()
        .map((one) => (one.type === "text" ? one.text : ""))
        .join(""),
    until: (wanted: () => boolean) =>
      Effect.promise(async () => {
        while (!wanted() && (await more()));
      }),
    rest: Effect.promise(async () => {
      while (await more());
    }),
    leave: Effect.promise(() => bytes.cancel()),
  }
}
