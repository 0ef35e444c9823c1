/** Every accepted key acts: what can be seen of a run differs without it, with it and with another value. */
import { schemaKeys } from "@planloom/schema"
import { assert, describe, it } from "vitest"
import { accepted, documentation } from "./accepted.ts"
import { fault, worldWith } from "./KeyExample.ts"
import { groups } from "./groups.ts"

const known = new Set(
  Object.values(groups)
    .flat()
    .map(({ key }) => key),
)

describe.each(Object.entries(groups))("a key of %s", (_, examples) => {
  it.each(examples.map((example) => [example.key, example] as const))(
    "%s acts",
    async (_key, one) => {
      assert.isUndefined(await fault(one))
    },
  )
})

/** Keys that have no example although they need one. */
const missing = (keys: ReadonlyArray<string>): ReadonlyArray<string> =>
  keys.filter(
    (key) =>
      !known.has(key) && !documentation.has(key) && !documentation.has(key.split(".").at(-1)!),
  )

describe("accepted keys", () => {
  it("each have an example", () => {
    assert.deepStrictEqual(missing(accepted), [])
  })

  it("are the only keys with an example", () => {
    const all = new Set(accepted)
    assert.deepStrictEqual(
      [...known].filter((key) => !all.has(key)),
      [],
    )
  })

  it("include few that only document", () => {
    assert.isAtMost(documentation.size, 10)
  })

  it("of a schema with one key more are not complete", () => {
    const schema = { type: "object", properties: { name: {}, canary: {} } } as const
    assert.deepStrictEqual(missing([...schemaKeys(schema, "Workflow").keys()]), ["Workflow.canary"])
  })

  it.each(Object.entries(groups).map(([name, [first]]) => [name, first!] as const))(
    "of %s without an effect are found",
    async (_, { at, file, world }) => {
      const place = [...at.split(".").slice(0, -1), "x-canary"].join(".")
      const canary = {
        key: "x-canary",
        world: worldWith({ at, file, world } as never, undefined),
        at: place,
        with: 1,
        other: 2,
        ...(file && { file }),
      }
      assert.match((await fault(canary)) ?? "it acts", /^it changes nothing|is refused/)
    },
  )
})
