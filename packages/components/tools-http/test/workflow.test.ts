/** Workflows whose steps call HTTP APIs, declared in a catalog without code. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import * as Effect from "effect/Effect"
import { run } from "@planloom/core"
import { check, load } from "@planloom/embed"
import { definePlugin, type RunEvent } from "@planloom/plugin/effect"
import stages from "@planloom/stages"
import { scriptedProvider, toolSourceSuite, type ScriptedProvider } from "@planloom/testing"
import plugin from "../src/index.ts"
import { apiServer, json } from "./apiServer.ts"
import { closeTransports, sourceWith } from "./callTool.ts"

const answers: Array<number> = []

const server = await apiServer({
  "/tickets": json([
    { id: 1, text: "My card was charged twice" },
    { id: 2, text: "I love it" },
  ]),
  "/tickets/1/label": json({}),
  "/tickets/2/label": json({}),
  "/status": json({ version: "1.2" }),
  "/flaky": (request, response, origin) =>
    json({ tries: answers.length }, answers.push(1) === 1 ? 429 : 200, { "retry-after": "0" })(
      request,
      response,
      origin,
    ),
})
const folder = mkdtempSync(join(tmpdir(), "http-"))
afterAll(async () => {
  closeTransports()
  rmSync(folder, { recursive: true, force: true })
  await server.close()
})
beforeEach(() => {
  server.received.length = 0
})

const write = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

write(
  "planloom.yaml",
  `apiVersion: planloom/v1
kind: Project
plugins: { "@planloom/tools-http": { hosts: ["${server.origin}"], private: [127.0.0.1] } }
`,
)
write(
  "flaky.yaml",
  `apiVersion: planloom/v1
kind: Catalog
tools: [{ name: flaky, summary: Answers the second time., source: http, with: { url: "${server.origin}/flaky" } }]
`,
)

/** A file that docs/http.md shows, for the local server. */
const shown = (name: string): string => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/http.md"), "utf8")
  const [, text = ""] = new RegExp(`\`\`\`yaml\\n# ${name}\\n([^]*?)\`\`\``).exec(page) ?? []
  return text
    .replaceAll("https://desk.example.com", server.origin)
    .replaceAll('"@planloom/provider-openai", ', "")
    .replaceAll("ollama/qwen3", "scripted/small")
    .replaceAll("../catalog/desk.yaml", "desk.yaml")
}

write("desk.yaml", shown("catalog/desk.yaml"))
const triage = shown("workflows/triage.yaml")

const token = "s3cret-desk-token"

const optionsWith = (models: ScriptedProvider) => ({
  plugins: { "@planloom/stages": async () => stages, "@planloom/tools-http": async () => plugin },
  extraPlugins: [
    definePlugin({
      id: "models",
      summary: "Scripted models.",
      components: { providers: [models] },
    }),
  ],
  secret: (name: string) => (name === "DESK_TOKEN" ? token : undefined),
})

const labels = () => scriptedProvider([{ json: "billing" }, { json: "praise" }])
const options = optionsWith(labels())

const runOf = (path: string, models = labels()) => {
  const events: Array<RunEvent> = []
  /** Requests before a question, and the question. */
  const asked: Array<string> = []
  const result = Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(load(path, optionsWith(models)), ({ pipeline }) =>
        Effect.catchTag(
          run(
            pipeline,
            {},
            {
              onEvent: (event) => void events.push(event),
              answer: ({ message }) =>
                Effect.sync(() => {
                  asked.push(
                    ...server.received.map(({ method, url }) => `${method} ${url}`),
                    message,
                  )
                  return { approved: true }
                }),
            },
          ),
          "RunFailed",
          ({ result: ended }) => Effect.succeed(ended),
        ),
      ),
    ),
  )
  return result.then((ended) => ({ ...ended, asked, events }))
}

describe("a workflow that calls an API", () => {
  it("triages tickets in nine lines", async () => {
    assert.strictEqual(triage.trim().split("\n").length, 9)
    const path = write("triage.yaml", triage)
    const { diagnostics } = await Effect.runPromise(check(path, options))
    assert.deepStrictEqual(diagnostics, [])
    const { events, status } = await runOf(path)
    assert.strictEqual(status, "succeeded")
    assert.deepStrictEqual(
      server.received.map(({ body, method, url }) => `${method} ${url} ${body}`).toSorted(),
      [
        "GET /tickets?state=open ",
        'PUT /tickets/1/label {"label":"billing"}',
        'PUT /tickets/2/label {"label":"praise"}',
      ],
    )
    assert.strictEqual(server.received[0]!.headers.authorization, `Bearer ${token}`)
    assert.notInclude(JSON.stringify(events), token)
  })

  it("is checked at the place of the mistake: types of answers, hosts and params", async () => {
    const wrong = write("wrong.yaml", triage.replace("ticket.text", "ticket.title"))
    const said = (path: string) =>
      Effect.runPromise(
        Effect.map(check(path, options), ({ diagnostics }) =>
          diagnostics.map(({ code, message }) => `${code} ${message}`),
        ),
      )
    assert.include((await said(wrong))[0], 'PL1201 ticket has no field "title"')
    write(
      "away.yaml",
      "apiVersion: planloom/v1\nkind: Catalog\ntools: [{ name: list_tickets, summary: L., source: http, with: { url: https://desk.example.com } }]\n",
    )
    const away = write(
      "away_flow.yaml",
      triage.replace("desk.yaml", "away.yaml").replaceAll("label_ticket", "http_get"),
    )
    assert.include(
      (await said(away)).join("\n"),
      "HTTP002 desk.example.com is not in `hosts` of @planloom/tools-http",
    )
  })

  it("reads a URL without a catalog", async () => {
    const { outputs } = await runOf(write("status.yaml", shown("workflows/status.yaml")))
    assert.deepStrictEqual(outputs, { version: "1.2" })
  })

  it("asks a person before an agent writes, and not before it reads", async () => {
    const models = scriptedProvider([
      { tool_calls: [{ name: "list_tickets", arguments: {} }] },
      { tool_calls: [{ name: "label_ticket", arguments: { id: 1, label: "billing" } }] },
      { text: "done" },
    ])
    const path = write(
      "agent.yaml",
      `apiVersion: planloom/v1
kind: Workflow
name: agent
use: { plugins: ["@planloom/stages", "@planloom/tools-http"], files: [desk.yaml] }
secrets: [DESK_TOKEN]
stages: [{ id: work, uses: agent, model: scripted/small, with: { task: Label the tickets., tools: [list_tickets, label_ticket] } }]
`,
    )
    const { asked, status } = await runOf(path, models)
    assert.strictEqual(status, "succeeded")
    assert.deepStrictEqual(asked, ["GET /tickets?state=open", "label_ticket: do you approve?"])
    assert.strictEqual(server.received.at(-1)!.url, "/tickets/1/label")
  })

  it("ends an agent whose tool the config does not allow, with the reason", async () => {
    const models = scriptedProvider([
      { tool_calls: [{ name: "http_get", arguments: { url: `${server.origin}/status` } }] },
      { text: "All is well." },
    ])
    mkdirSync(join(folder, "closed"))
    write(
      "closed/planloom.yaml",
      `apiVersion: planloom/v1\nkind: Project\nplugins: { "@planloom/tools-http": { hosts: ["${server.origin}"] } }\n`,
    )
    const path = write(
      "closed/agent.yaml",
      `apiVersion: planloom/v1
kind: Workflow
name: closed
use: { plugins: ["@planloom/stages", "@planloom/tools-http"] }
stages: [{ id: work, uses: agent, model: scripted/small, with: { task: Look., tools: [http_get] } }]
`,
    )
    const { failure, status } = await runOf(path, models)
    assert.strictEqual(status, "failed")
    assert.strictEqual(failure?.class, "not_allowed")
    assert.include(
      failure?.message,
      "127.0.0.1 is not a public address; declare it under `private`",
    )
    assert.lengthOf(server.received, 0)
  })

  it("retries by its policy after the delay that the service asks for", async () => {
    const path = write(
      "flaky_flow.yaml",
      `apiVersion: planloom/v1
kind: Workflow
name: flaky
use: { plugins: ["@planloom/stages", "@planloom/tools-http"], files: [flaky.yaml] }
policies: { retry: { patient: { max_retries: 1, delay: 1ms, on: [rate_limit] } } }
stages: [{ id: tried, uses: call, retry: patient, with: { tool: flaky } }]
outputs: { tried: { value: "\${{ stages.tried.output }}" } }
`,
    )
    const { outputs } = await runOf(path)
    assert.deepStrictEqual(outputs, { tried: { tries: 1 } })
    assert.lengthOf(server.received, 2)
  })
})

toolSourceSuite(
  { describe, it },
  sourceWith({ hosts: [server.origin], private: ["127.0.0.1"] }),
  [
    {
      name: "reads a URL",
      tool: "http_get",
      params: { url: `${server.origin}/tickets` },
      check: (result) => assert.deepInclude(result as object, { status: 200 }),
    },
  ],
  { workspace: folder },
)
