/** Files of strangers that name a server of the person: no login is used for them, and none of their reads is believed. */
import { join } from "node:path"
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Claim } from "@planloom/plugin/effect"
import { cases } from "../../../../.config/cases.ts"
import { logIn } from "../src/login/logIn.ts"
import { serverOf } from "../src/servers/readServers.ts"
import type { WrittenServer } from "../src/servers/Server.ts"
import { guardedServer, type Guarded } from "./authServer.ts"
import { call, listOf, newState, server, sourceOf, testFolder } from "./callServer.ts"
import { httpServer, type HttpServer } from "./httpServer.ts"
import { newHandler } from "./newServer.ts"

const REASON = "the folder is not trusted"

let guarded: Guarded
let open: HttpServer
let state: string

beforeAll(async () => {
  guarded = await guardedServer()
  open = await httpServer(newHandler("stateless").fetch)
  state = newState()
  await logIn({
    server: serverOf("s", { url: guarded.url }, join(testFolder(), "planloom.yaml"), testFolder()),
    secret: () => undefined,
    state,
    signal: new AbortController().signal,
    show: async (url) => void (await guarded.browse(url)),
    onStray: () => {},
  })
})
afterAll(async () => {
  await Promise.all([guarded.close(), open.close()])
})

const reader = fc.record({
  isTrusted: fc.boolean(),
  name: fc.constantFrom("s", "other"),
  isGuarded: fc.boolean(),
  trust: fc.constantFrom(undefined, "reads" as const),
})
const acts = fc.array(fc.constantFrom("list", "call"), { minLength: 1, maxLength: 4 })

it("a login and trusted reads count only for files that speak for the person, whatever others do beside them", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(reader, acts), { minLength: 1, maxLength: 4 }),
      async (readers) => {
        await Promise.all(
          readers.map(async ([{ isGuarded, isTrusted, name, trust }, done]) => {
            const url = isGuarded ? guarded.url : `${open.origin}/mcp`
            const source = sourceOf(
              { [name]: { url, ...(trust && { trust }) } },
              { state, mayTrust: async () => (isTrusted ? undefined : REASON) },
            )
            for (const act of done) {
              if (act === "call") {
                const { failure, value } = await call(source, `${name}.add`, { a: 2, b: 3 })
                if (isTrusted || !isGuarded) expect(value).toEqual({ sum: 5 })
                else {
                  expect(failure).toMatchObject({
                    class: "auth",
                    message: `the server "${name}" wants a login, and none is used: ${REASON}`,
                  })
                }
                continue
              }
              const { concerns = [], partial, tools } = await listOf(source)
              if (isGuarded && !isTrusted) {
                expect({ tools, partial }).toEqual({
                  tools: [],
                  partial: expect.stringContaining(REASON),
                })
              } else {
                expect(tools.find((tool) => tool.name === `${name}.add`)?.effect).toBe(
                  isTrusted && trust === "reads" ? "read" : "write",
                )
              }
              expect(concerns.some((one) => one.includes("count as writes"))).toBe(
                !isTrusted && trust === "reads",
              )
            }
          }),
        )
      },
    ),
    { numRuns: cases(15) },
  )
})

it("a file is asked about with the server's address, and matters only if it changes something", async () => {
  const claims: Array<Claim> = []
  const listed = async (declared: WrittenServer) => {
    claims.length = 0
    await listOf(
      sourceOf(
        { s: declared },
        {
          state,
          mayTrust: async (claim) => {
            claims.push(claim)
            return undefined
          },
        },
      ),
    )
    return claims.map(({ matters, what }) => ({ matters, what }))
  }
  const login = (url: string) => `lets the server "s" act with your login at ${url}`
  const at = `${open.origin}/mcp`
  expect(await listed({ url: guarded.url })).toEqual([{ what: login(guarded.url), matters: true }])
  expect(await listed({ url: at })).toEqual([{ what: login(at), matters: false }])
  expect(await listed({ url: at, trust: "reads" })).toEqual([
    {
      what: `believes the server "s" at ${at} which tools only read`,
      matters: true,
    },
  ])
  expect(await listed({ url: at, headers: { Authorization: "Basic x" } })).toEqual([])
  expect(await listed({ url: guarded.url, trust: "reads" })).toEqual([
    {
      what: `${login(guarded.url)}, and believes the server "s" at ${guarded.url} which tools only read`,
      matters: true,
    },
  ])
  // Whether it may be started is another question.
  expect(await listed({ ...server("good").declared, trust: "reads" })).toEqual([])
})
