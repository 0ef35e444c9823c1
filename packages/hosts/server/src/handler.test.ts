/** Access of every route: scopes of API keys, and limits of each client. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import type { RunStore } from "@planloom/plugin/effect"
import { newApiKey, type ApiKey } from "./ApiKey.ts"
import { scopes, type Scope } from "./Scope.ts"
import type { ApiOptions, MetricsEndpoint } from "./Api.ts"
import { handler, routes } from "./handler.ts"
import { RequestLimiter } from "./RequestLimiter.ts"

/** A server with one key, whose store and workflows are never reached when the key is rejected. */
const serving = async (
  own: ReadonlyArray<Scope>,
  { expiresAt, ...options }: Partial<ApiOptions> & { readonly expiresAt?: number } = {},
  workflows?: ReadonlyArray<string>,
) => {
  const { key, stored } = await newApiKey({
    name: "test",
    scopes: own,
    createdAt: 1,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(workflows === undefined ? {} : { workflows }),
  })
  const keys = new Map<string, ApiKey>([[stored.id, stored]])
  const handle = handler({
    store: {} as RunStore,
    keys: { find: (id) => keys.get(id), isRequired: () => true },
    ...options,
  })
  const ask = async (method: string, path: string, bearer = key, address = "10.0.0.1") => {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
      ...(method === "GET" ? {} : { body: "{}" }),
    })
    const response = await handle(request, { address })
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as any,
    }
  }
  return { ask, key, keys, stored }
}

const every = (Object.keys(scopes) as ReadonlyArray<Scope>).filter((one) => one !== "admin")

describe("an API key", () => {
  it.each(routes.map(([method, path, scope]) => [method, path, scope] as const))(
    "%s %s needs the scope %s",
    async (method, pattern, scope) => {
      const path = pattern.replaceAll(/[:*]\w+/g, "x")
      const others = every.filter((one) => one !== scope)
      const rejected = await (await serving(others)).ask(method, path)
      assert.strictEqual(rejected.status, 403)
      assert.deepInclude(rejected.body, { scope, scopes: others })
      for (const own of [scope, "admin"] as const) {
        const { status } = await (await serving([own])).ask(method, path)
        assert.notInclude([401, 403], status)
      }
    },
  )

  it("that is limited to workflows reaches nothing of others, and nothing of the whole server", async () => {
    const records = ["a", "b", "c"].map((workflow, index) => ({
      run: `of-${workflow}`,
      workflow,
      status: "succeeded" as const,
      inputs: {},
      startedAt: index,
      epoch: 1,
      active: false,
    }))
    const asked: Array<unknown> = []
    const ofWorkflow = <A extends { readonly workflow: string }>(
      all: ReadonlyArray<A>,
      filter: { readonly workflow?: string } = {},
    ) =>
      Effect.sync(() => {
        asked.push(filter.workflow)
        return all.filter(
          ({ workflow }) => filter.workflow === undefined || workflow === filter.workflow,
        )
      })
    const waits = records.map(({ run, startedAt, workflow }) => ({
      run,
      workflow,
      askedAt: startedAt,
      wait: { name: "q", kind: "signal" as const, path: "q", message: "?", schema: true },
    }))
    const store = {
      show: (run: string) => Effect.succeed(records.find((one) => one.run === run)),
      list: (filter: object) => ofWorkflow(records, filter),
      waits: (filter: object) => ofWorkflow(waits, filter),
      events: () => Effect.succeed([]),
    } as unknown as RunStore
    const { ask } = await serving(["admin"], { store }, ["a", "b"])
    const workflowsOf = async (path: string) =>
      ((await ask("GET", path)).body as ReadonlyArray<any>).map(({ workflow }) => workflow)
    assert.deepStrictEqual(await workflowsOf("/runs"), ["b", "a"])
    assert.deepStrictEqual(await workflowsOf("/runs?limit=1"), ["b"])
    assert.deepStrictEqual(await workflowsOf("/runs?workflow=a"), ["a"])
    assert.deepStrictEqual(await workflowsOf("/runs?workflow=c"), [])
    assert.deepStrictEqual(await workflowsOf("/waits"), ["a", "b"])
    assert.deepStrictEqual(await workflowsOf("/waits?workflow=c"), [])
    assert.notInclude(asked, undefined)
    assert.notInclude(asked, "c")
    assert.strictEqual((await ask("GET", "/runs/of-a")).status, 200)
    for (const [method, pattern] of routes) {
      const path = pattern
        .replace(":run", "of-c")
        .replace(":name", "c")
        .replaceAll(/[:*]\w+/g, "x")
      if (["/runs", "/waits", "/workflows", "/openapi.json"].includes(path)) continue
      // 422: the body was refused before the run was looked up.
      assert.include([403, 404, 422], (await ask(method, path)).status, `${method} ${path}`)
    }
    const everything = await serving(["admin"], { store })
    assert.strictEqual((await everything.ask("GET", "/runs/of-c")).status, 200)
  })

  it("that only starts runs cannot follow them as a stream", async () => {
    const { keys, key } = await serving(["runs:write"])
    const handle = handler({
      store: {} as RunStore,
      keys: { find: (id) => keys.get(id), isRequired: () => true },
    })
    const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" }
    const request = new Request("http://localhost/workflows/w/runs", { method: "POST", headers })
    assert.strictEqual((await handle(request)).status, 403)
  })

  it("is rejected when it is unknown, changed, expired or revoked", async () => {
    const { ask, key, keys, stored } = await serving(["workflows:read"])
    assert.strictEqual((await ask("GET", "/workflows")).status, 200)
    const changed = `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`
    for (const bearer of [changed, "plk_", "other"]) {
      assert.strictEqual((await ask("GET", "/workflows", bearer)).status, 401)
    }
    keys.delete(stored.id)
    assert.strictEqual((await ask("GET", "/workflows")).status, 401)
    const old = await serving(["workflows:read"], { expiresAt: 2 })
    assert.strictEqual((await old.ask("GET", "/workflows")).status, 401)
  })

  it("is not stored: only its hash is", async () => {
    const { key, stored } = await serving(["admin"])
    assert.notInclude(JSON.stringify(stored), key.slice(18))
    assert.match(stored.hash, /^[\da-f]{64}$/)
  })

  it("stands beside the shared token, which has every scope", async () => {
    const token = "0123456789abcdef"
    const { ask } = await serving(["runs:read"], { token })
    assert.strictEqual((await ask("GET", "/workflows", token)).status, 200)
    assert.strictEqual((await ask("GET", "/workflows")).status, 403)
  })

  it("does not take the place of the host's authentication", async () => {
    const { ask } = await serving(["admin"], { authenticate: () => ({ refusal: "log in first" }) })
    const rejected = await ask("GET", "/workflows")
    assert.strictEqual(rejected.status, 401)
    assert.strictEqual(rejected.body.detail, "log in first")
  })
})

describe("the limit of requests", () => {
  it("rejects further requests of a key with 429 and Retry-After, whatever their address", async () => {
    const { ask } = await serving(["workflows:read"], { requestsPerMinute: 2 })
    for (const address of ["10.0.0.1", "10.0.0.2"]) {
      assert.strictEqual((await ask("GET", "/workflows", undefined, address)).status, 200)
    }
    const rejected = await ask("GET", "/workflows", undefined, "10.0.0.3")
    assert.strictEqual(rejected.status, 429)
    assert.match(rejected.headers.get("retry-after")!, /^(29|30)$/)
    assert.deepInclude(rejected.body, { requests_per_minute: 2 })
    assert.strictEqual((await ask("GET", "/health")).status, 200)
  })

  it("states at / what it is and where its API is, without a token", async () => {
    const { ask } = await serving(["workflows:read"])
    const { body, status } = await ask("GET", "/", "guess")
    assert.strictEqual(status, 200)
    assert.include(body, { service: "planloom", api: "/openapi.json", health: "/health" })
    const missing = await ask("GET", "/healthz")
    assert.strictEqual(missing.status, 404)
    assert.include(String(missing.body["detail"]), "GET /openapi.json lists the routes")
  })

  it("counts rejected keys for the address they come from", async () => {
    const { ask } = await serving(["workflows:read"], { requestsPerMinute: 2 })
    const guess = async (address: string) =>
      (await ask("GET", "/workflows", "guess", address)).status
    assert.deepStrictEqual(
      [await guess("10.0.0.1"), await guess("10.0.0.1"), await guess("10.0.0.1")],
      [401, 401, 429],
    )
    assert.strictEqual(await guess("10.0.0.2"), 401)
    assert.strictEqual((await ask("GET", "/workflows")).status, 200)
  })

  it.effect("is refilled evenly over the minute", () =>
    Effect.gen(function* () {
      const limiter = new RequestLimiter(6)
      const accepted = Effect.map(Effect.exit(limiter.accept("a")), ({ _tag }) => _tag)
      for (let sent = 0; sent < 6; sent++) assert.strictEqual(yield* accepted, "Success")
      assert.strictEqual(yield* accepted, "Failure")
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* accepted, "Success")
      assert.strictEqual(yield* accepted, "Failure")
      assert.strictEqual((yield* Effect.exit(limiter.accept("b")))._tag, "Success")
    }),
  )
})

describe("metrics", () => {
  const kept = () => {
    const seen: Array<string> = []
    const metrics: MetricsEndpoint = {
      requested: ({ method, ms, route, status }) => {
        assert.isAtLeast(ms, 0)
        seen.push(`${method} ${route} ${status}`)
      },
      read: Effect.succeed({ text: "# none\n", contentType: "text/plain" }),
    }
    return { metrics, seen }
  }

  const get = (options: Partial<ApiOptions>, path: string, prefix = "") =>
    handler({ store: {} as RunStore, ...options }, prefix)(new Request(`http://localhost${path}`))

  it("are given to operators, and not to users", async () => {
    const { metrics } = kept()
    const reply = await get({ metrics }, "/metrics")
    assert.strictEqual(await reply.text(), "# none\n")
    const authenticate = () => ({ user: { id: "ann" } })
    assert.strictEqual((await get({ metrics, authenticate }, "/metrics")).status, 403)
  })

  it("name the route as written, and no route for what is not matched or not accepted", async () => {
    const { metrics, seen } = kept()
    await get({ metrics }, "/at/health", "/at")
    await get({ metrics }, "/workflows")
    await get({ metrics }, "/workflows/secret-name/models")
    await get({ metrics }, "/secret/path")
    await get({ metrics, token: "0123456789abcdef" }, "/workflows")
    assert.deepStrictEqual(seen, [
      "GET /health 200",
      "GET /workflows 200",
      "GET /workflows/{name}/models 404",
      "GET undefined 404",
      "GET undefined 401",
    ])
  })

  it("count a defect with its status", async () => {
    const { metrics, seen } = kept()
    await get({ metrics }, "/runs")
    assert.deepStrictEqual(seen, ["GET /runs 500"])
  })
})
