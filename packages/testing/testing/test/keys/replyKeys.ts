/** Examples of the keys of scripted replies, which test files and evaluations have. */
import type { KeyExample } from "./KeyExample.ts"
import { agent, asking, failureKeys } from "./testWorlds.ts"
import { byDefault, examples } from "./worlds.ts"

const has = (event: string) => `events.exists(e, ${event})`
const reasoned = "e.type == 'Reasoned'"
const failed = "e.type == 'AttemptFailed'"

/** Assertions that fail and so show the failed attempt. */
const shownFailure = [
  has(`${failed} && e.delay > 1000`),
  has(`${failed} && e.delay > 12000`),
  has(`${failed} && has(e.failure.detail)`),
  has(`${failed} && has(e.failure.detail) && e.failure.detail.a == 2`),
  has(`${failed} && e.failure.message == 'It broke.'`),
  has(`${failed} && e.failure.message == 'It tore.'`),
]

const retrying = asking.replace(
  "generate,",
  "generate, retry: { max_retries: 1, delay: 1s, jitter: false, on: [rate_limit] },",
)

/** `world` has a mapping with the key `models`, the body of its workflow, and assertions of what happens. */
export const replyKeys = (
  owner: string,
  at: string,
  place: string,
  world: (models: string, flow: string, asserts: ReadonlyArray<string>) => KeyExample["world"],
): ReadonlyArray<KeyExample> => {
  const here = { owner, at, file: place }
  const reply = (given: string) =>
    world(`models: { ask: [{ ${given} }, { text: next }, { text: last }] }`, asking, [])
  const tea = (...asserts: ReadonlyArray<string>) =>
    world("models: { ask: [{ text: tea }] }", asking, asserts)
  return [
    ...examples({ ...here, world: reply("") }, [
      ["text", "tea", "milk"],
      ["json", { a: 1 }, { a: 2 }],
      ["chunks", ["a", "b"], ["c"]],
      ["fail", "internal", "timeout"],
    ]),
    ...examples({ ...here, world: reply("text: tea") }, [
      ["delay", "1s", "2s"],
      ["when", "Sing.", byDefault("Speak.")],
      ["usage", { input: 1 }, { input: 2 }],
      ["usage.input", 1, 2],
      ["usage.output", 1, 2],
    ]),
    ...examples({ ...here, world: tea(has("e.type == 'ModelCalled' && e.finish == 'length'")) }, [
      ["cut", true, byDefault(false)],
    ]),
    ...examples({ ...here, world: reply("text: tea, usage: { input: 10 }") }, [
      ["usage.cached", 1, 2],
    ]),
    ...examples({ ...here, world: tea(has(reasoned), has(`${reasoned} && e.text == 'Cold?'`)) }, [
      ["reasoning", "Hot?", "Cold?"],
    ]),
    ...failureKeys(`${owner}.fail`, `${at}.fail`, place, (fail) =>
      world(`models: { ask: [{ fail: { ${fail} } }, { text: next }] }`, retrying, shownFailure),
    ),
    ...examples(
      {
        ...here,
        world: world("models: { ask: [{}, { text: next }, { text: last }] }", agent, []),
      },
      [
        ["tool_calls", [{ name: "weigh" }], [{ name: "weigh", arguments: { n: 1 } }]],
        ["tool_calls.name", `${at}.tool_calls`, [{ name: "weigh" }], [{ name: "count" }]],
        [
          "tool_calls.arguments",
          `${at}.tool_calls`,
          [{ name: "weigh", arguments: { n: 1 } }],
          [{ name: "weigh", arguments: { n: 2 } }],
        ],
      ],
    ),
  ]
}
