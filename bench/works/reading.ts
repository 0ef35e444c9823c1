/** Reading six requests as calls of 30 tools, without a model. */
import type { Tool } from "@planloom/plugin/effect"
import { callWords, grammarOf, readRequest } from "@planloom/planning/reading"
import type { Start } from "./Work.ts"

const grammar = grammarOf("en")

const things = "parcel order invoice valve lamp camera heater printer ticket account".split(" ")

const paramsOf = (thing: string) => ({
  track: {
    properties: {
      [thing]: { type: "string", pattern: "^[A-Z]{2}-[0-9]{4,8}$" },
      limit: { type: "integer" },
    },
    required: [thing],
  },
  set: {
    properties: { state: { type: "string", enum: ["on", "off"] }, amount: { type: "number" } },
    required: ["state"],
  },
  list: {
    properties: {
      from: { type: "string", format: "date" },
      to: { type: "string", format: "date" },
      about: { type: "string", role: "query" },
    },
    required: [],
  },
})

const tools = things.flatMap((thing) =>
  Object.entries(paramsOf(thing)).map(([verb, params]): Tool => ({
    name: `${verb}_${thing}`,
    summary: `${verb === "set" ? "Switches" : "Shows"} the ${thing}.`,
    effect: verb === "set" ? "write" : "read",
    examples: [`${verb} the ${thing}`, `please ${verb} my ${thing} now`],
    keywords: [thing, `${thing}s`],
    capabilities: [],
    inputs: {},
    outputs: [],
    params: { type: "object", ...params },
  })),
)

const requests: ReadonlyArray<readonly [text: string, params: string]> = [
  ["please track the parcel AB-12345", '{"parcel":"AB-12345"}'],
  ["set the heater off", '{"state":"off"}'],
  ["list the invoices of last week", '{"from":"2026-11-09","to":"2026-11-15"}'],
  ["show me the tickets about the broken window", '{"about":"broken window"}'],
  ["could you set the lamp in the kitchen on when I come home at 5", ""],
  ["set the lamp", ""],
]

export const start: Start = async () => async () => {
  for (const [text, params] of requests) {
    // A turn gives the tools anew.
    const calls = tools.map((tool) => callWords(tool, grammar))
    const near = () =>
      tools.flatMap(({ name }) => (text.includes(name.split("_")[1]!) ? [name] : []))
    const read = readRequest({ text, grammar, today: "2026-11-21", calls, near })
    const given = read.type === "calls" ? JSON.stringify(read.calls[0]!.params) : ""
    if (given !== params) throw new Error(`${text}: ${given}`)
  }
}
