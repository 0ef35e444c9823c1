/** Examples of the keys of the stage kind `reflect`. */
import type { Json } from "@planloom/plugin/effect"
import type { KeyExample } from "./KeyExample.ts"
import { asked, at, kitchen } from "./planning.ts"
import { byDefault, examples } from "./worlds.ts"

const step = (id: string, tool: string, params = {}) => ({ id, tool, params })

const plan = { steps: [step("first", "boil"), step("second", "pour")] }

const call = (id: string, tool: string, more = {}) => ({
  step: id,
  tool,
  params: {},
  ok: true,
  summary: `${tool} gave a cup of tea`,
  ...more,
})

/** The second step found nothing. */
const results = {
  steps: { first: "hot", second: [] },
  calls: [call("first", "boil"), call("second", "pour")],
} as unknown as Json

const entity = { type: "cup", id: "c1", name: "Cup" }

const found = {
  steps: { first: "hot", second: "tea" },
  calls: [call("first", "boil"), call("second", "pour", { entities: [entity] })],
} as unknown as Json

const without = { request: "Make tea.", plan, results } as unknown as {
  readonly [key: string]: Json
}
const mechanical = kitchen("reflect", without)
const relax = { pour: [{ sugar: { set: 1 } }] }

const reply = {
  reasoning: "The cup was empty.",
  strategy: "extend",
  user_message: "I am making another one.",
  modifications: [
    { op: "add", step: "third", tool: "grind", rationale: "beans", params: {}, inputs: {} },
  ],
} as unknown as Json

const withModel = asked(kitchen("reflect", without), reply)

const changing = (params: Json) =>
  kitchen("reflect", {
    ...without,
    plan: { steps: [step("first", "boil"), step("second", "pour", { sugar: 5 })] } as never,
    relax: { pour: [params] } as unknown as Json,
  })

const rule = { id: "milk", when: "true", reason: "no milk" }
const ruled = (more = {}) =>
  kitchen("reflect", { ...without, results: found, rules: [{ ...rule, ...more }] as never })
const follow = { id: "beans", tool: "grind", params: { fine: true } }
// oxlint-disable-next-line unicorn/no-thenable -- the key of the contract
const following = (more = {}) => ruled({ then: [{ ...follow, ...more }] })

const eachOfRule = `${at}.rules.0.then.0.each`

const wish = { words: { en: ["milk"] }, tools: ["grind"] }
const wishing = (more = {}) =>
  kitchen("reflect", {
    ...without,
    request: "Tea with milk and cream. No cups.",
    results: found,
    wishes: { white: { ...wish, ...more } } as never,
  })

const shout = { description: "Say it louder.", thinking: "LOUDER." }
const declaring = (more = {}) =>
  asked(kitchen("reflect", { ...without, strategies: { shout: { ...shout, ...more } } as never }), {
    ...(reply as object),
    strategy: "shout",
    user_message: "",
  } as unknown as Json)

export const reflectExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner: "reflect", at, world: withModel }, [
    ["request", "Make coffee.", "Make cocoa."],
    ["plan", { steps: [step("first", "boil")] }, { steps: [] }],
    ["results", found, { steps: {}, calls: [call("second", "pour", { ok: false })] } as never],
    ["rounds", 1, byDefault(2)],
    ["round", 1, byDefault(0)],
    ["enabled", false, byDefault(true)],
    ["rules", ["failed_calls"], [rule]],
    ["limits", { max_items: 1 }, { max_characters: 12 }],
    ["limits.max_items", 1, byDefault(20)],
    ["limits.max_characters", 12, byDefault(200)],
    ["limits.max_tokens", 1, byDefault(1000)],
    ["queries", "boil", "pour"],
    ["technical_terms", ["another"], byDefault([])],
  ]),
  ...examples({ owner: "reflect", at, world: mechanical }, [
    ["relax", relax, { pour: [{ sugar: { set: 2 } }] }],
    ["requirements", [{ kind: "tool", label: "grind" }], [{ kind: "tool", label: "pour" }]],
    [
      "wishes",
      { white: { words: { en: ["tea"] }, tools: ["grind"] } },
      { black: { words: { en: ["make"] }, tools: ["grind"] } },
    ],
  ]),
  ...examples({ owner: "reflect", at, world: kitchen("reflect", { ...without, relax } as never) }, [
    ["mechanical", false, byDefault(true)],
    ["language", "es", byDefault("")],
  ]),
  ...examples(
    { owner: "reflect", at: `${at}.relax.pour.0.sugar`, world: changing({ sugar: {} }) },
    [
      ["relax.*.*.set", `${at}.relax.pour.0.sugar.set`, 8, 9],
      ["relax.*.*.times", `${at}.relax.pour.0.sugar.times`, 2, 3],
      ["relax.*.*.at_least", `${at}.relax.pour.0.sugar.at_least`, 6, 7],
      ["relax.*.*.at_most", `${at}.relax.pour.0.sugar.at_most`, 3, 4],
    ],
  ),
  ...examples({ owner: "reflect", at: `${at}.rules.0`, world: ruled() }, [
    ["rules.id", `${at}.rules.0.id`, "cream", "oats"],
    ["rules.when", `${at}.rules.0.when`, "false", "entities.exists(one, one.type == 'cup')"],
    ["rules.reason", `${at}.rules.0.reason`, "no cream", "no oats"],
    ["rules.then", `${at}.rules.0.then`, [follow], [{ ...follow, id: "more" }]],
  ]),
  ...examples({ owner: "reflect", world: following() }, [
    ["rules.then.id", `${at}.rules.0.then.0.id`, "one", "two"],
    ["rules.then.tool", `${at}.rules.0.then.0.tool`, "boil", "pour"],
    ["rules.then.params", `${at}.rules.0.then.0.params`, { n: 1 }, { n: 2 }],
    ["rules.then.needs", `${at}.rules.0.then.0.needs`, ["first"], ["second"]],
    ["rules.then.satisfies", `${at}.rules.0.then.0.satisfies`, ["a"], ["b"]],
    [
      "rules.then.each",
      `${at}.rules.0.then.0.each`,
      { over: { $from: "first" }, as: "one" },
      { over: { $from: "pour" }, as: "one" },
    ],
  ]),
  ...examples({ owner: "reflect", world: following({ tool: "pour" }) }, [
    ["rules.then.inputs", `${at}.rules.0.then.0.inputs`, { water: "first" }, { water: "source" }],
  ]),
  ...examples(
    {
      owner: "reflect",
      world: following({ each: { over: { $from: "first" }, as: "one" } }),
    },
    [
      ["rules.then.each.over", `${eachOfRule}.over`, { $from: "second" }, { $from: "source" }],
      ["rules.then.each.over.$from", `${eachOfRule}.over.$from`, "second", "source"],
      ["rules.then.each.over.path", `${eachOfRule}.over.path`, "cups", "[0]"],
      ["rules.then.each.as", `${eachOfRule}.as`, "cup", "bean"],
      ["rules.then.each.limit", `${eachOfRule}.limit`, 2, 3],
    ],
  ),
  ...examples(
    {
      owner: "reflect",
      world: following({ each: { entities: "cup", as: "one" }, params: { of: { $from: "one" } } }),
    },
    [["rules.then.each.entities", `${eachOfRule}.entities`, "cup", "pot"]],
  ),
  ...examples({ owner: "reflect", world: wishing() }, [
    ["wishes.*.words", `${at}.wishes.white.words`, { en: ["sugar"] }, { en: ["cream"] }],
    ["wishes.*.tools", `${at}.wishes.white.tools`, ["pour"], ["gri*"]],
  ]),
  ...examples({ owner: "reflect", world: wishing({ words: { en: ["sugar"] } }) }, [
    ["wishes.*.without", `${at}.wishes.white.without`, { en: ["cup"] }, byDefault()],
  ]),
  ...examples({ owner: "reflect", world: declaring() }, [
    ["strategies.*.description", `${at}.strategies.shout.description`, "Be loud.", "Be clear."],
    ["strategies.*.thinking", `${at}.strategies.shout.thinking`, "HEY.", { en: "HELLO." }],
  ]),
  ...examples({ owner: "reflect", at, world: withModel }, [
    ["strategies", { shout }, { sing: shout }],
  ]),
]
