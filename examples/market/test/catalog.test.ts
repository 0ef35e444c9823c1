/** The catalog describes what the servers list: it stands in for them until they have been listed. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { parse } from "yaml"
import { closeClients, startClients } from "./marketClients.ts"

type Json = any

/** Without what only describes a schema. */
const plain = (schema: Json): Json =>
  Array.isArray(schema)
    ? schema.map(plain)
    : typeof schema === "object" && schema !== null
      ? Object.fromEntries(
          Object.entries(schema)
            .filter(([key]) => key !== "description" && key !== "$schema")
            .map(([key, value]) => [key, plain(value)]),
        )
      : schema

it("has the tools and the params of the servers, no more and no fewer", async () => {
  const { tools } = parse(readFileSync(join(import.meta.dirname, "../catalog.yaml"), "utf8"))
  const clients = await startClients({})
  const listed = await Promise.all(
    [...clients].map(async ([server, client]) =>
      (await client.listTools()).tools.map(({ inputSchema, name }) => [
        `${server}.${name}`,
        plain(inputSchema),
      ]),
    ),
  )
  await closeClients(clients)
  expect(Object.fromEntries(tools.map(({ name, params }: Json) => [name, params]))).toEqual(
    Object.fromEntries(listed.flat()),
  )
})
