import { assert, describe, it } from "@effect/vitest"
import type { RunStore } from "@planloom/plugin/effect"
import type { ServedWorkflow } from "./Api.ts"
import { handler, routes } from "./handler.ts"
import { openApi } from "./openApi.ts"

const support = {
  pipeline: {
    name: "support",
    definition: { description: "Answers customers." },
    inputs: {
      schema: {
        type: "object",
        properties: { question: { $ref: "#/$defs/text" } },
        $defs: { text: { type: "string" } },
      },
    },
  },
} as unknown as ServedWorkflow

describe("the OpenAPI document", () => {
  const { paths } = openApi(routes, new Map([["support", support]])) as any

  it.each(routes.map(([method, path, scope]) => [method, path, scope] as const))(
    "describes %s %s with its parameters and the scope %s",
    (method, path, scope) => {
      const { description, parameters = [] } =
        paths[path.replaceAll(/[:*](\w+)/g, "{$1}")][method.toLowerCase()]
      assert.include(description, scope)
      const named = parameters.filter((one: any) => one.in === "path").map((one: any) => one.name)
      assert.deepStrictEqual(
        named,
        [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name),
      )
    },
  )

  it("states the inputs of a served workflow under its own path", () => {
    const { requestBody, summary } = paths["/workflows/support/runs"].post
    assert.strictEqual(summary, "Answers customers.")
    const { inputs } = requestBody.content["application/json"].schema.properties
    assert.hasAllKeys(inputs.properties, ["question"])
  })

  it("is served to clients, and refers to nothing that it does not hold", async () => {
    const workflows = new Map([["support", support]])
    const handle = handler({ store: {} as RunStore, workflows })
    const response = await handle(new Request("http://localhost/openapi.json"))
    assert.strictEqual(response.status, 200)
    const document = (await response.json()) as any
    assert.strictEqual(document.openapi, "3.1.0")
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)]
    assert.isAbove(references.length, 1)
    for (const [, pointer] of references) {
      const steps = pointer!.slice(1).split("/")
      const at = (value: any, step: string) => value?.[step.replaceAll("~1", "/")]
      assert.isDefined(steps.reduce(at, document), pointer)
    }
  })
})
