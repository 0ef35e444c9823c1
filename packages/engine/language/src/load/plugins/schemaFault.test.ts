/** Schemas of components: what is said of each is the same each time. */
import { assert, it } from "vitest"
import { schemaFault } from "./schemaFault.ts"

it.each([
  [{ type: "text" }, ["type"]],
  [{ properties: { a: 1 } }, ["properties", "a"]],
  [3, []],
  [null, []],
])("the schema %j has a fault, also when it is examined again", (schema, path) => {
  for (let time = 0; time < 2; time++) assert.deepStrictEqual(schemaFault(schema)?.path, path)
})

it.each([[{ type: "string", pattern: "(" }], [{}], [true]])(
  "the schema %j has none: patterns are left to the first value",
  (schema) => {
    for (let time = 0; time < 2; time++) assert.isUndefined(schemaFault(schema))
  },
)
