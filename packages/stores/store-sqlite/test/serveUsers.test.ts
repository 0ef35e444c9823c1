/** The HTTP API with authenticated users: who may start, read and change which run. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { definePlugin, stageKind, type JsonObject, type RunEvent } from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { worker } from "@planloom/record/worker"
import { handler, type ApiOptions, type Authentication } from "@planloom/server"
import { newFile, newFolder, storeAt } from "./store.ts"

const letters = `apiVersion: planloom/v1
kind: Workflow
name: letters
user: { type: object, required: [id, email], properties: { id: { type: string }, email: { type: string, minLength: 5 } } }
inputs: { note: { type: string, default: none } }
session: { request: "\${{ inputs.note }}", assistant: "\${{ stages.letter.output }}" }
stages:
  - { id: letter, uses: write, with: { to: "\${{ user.email }}", turns: "\${{ size(session.turns) }}" } }
  - { id: sign_off, uses: ask, with: { message: "Send \${{ inputs.note }} to \${{ user.email }}?" } }
outputs: { letter: "\${{ stages.letter.output }}", to: "\${{ user.email }}" }
`

const plain = `apiVersion: planloom/v1
kind: Workflow
name: plain
stages: [{ id: sign_off, uses: ask, with: { message: "Go on?" } }]
`

const anything = { type: "object", additionalProperties: true }

const plugin = definePlugin({
  id: "test",
  summary: "Letters.",
  components: {
    stages: [
      stageKind<{ readonly to: string; readonly turns: number }>({
        id: "write",
        summary: "Writes.",
        input: anything,
        output: { type: "string" },
        run: ({ to, turns }) => Effect.succeed(`letter ${turns + 1} to ${to}`),
      }),
      stageKind<{ readonly message: string }>({
        id: "ask",
        summary: "Asks.",
        input: anything,
        output: true,
        run: ({ message }, context) =>
          Effect.map(context.ask({ message, schema: { type: "boolean" } }), ({ value }) => value),
      }),
    ],
  },
})

const people: { readonly [cookie: string]: JsonObject } = {
  ann: { id: "user-4711", email: "ann@example.org" },
  bob: { id: "user-4712", email: "bob@example.org" },
  short: { id: "user-4713", email: "x" },
  nameless: { email: "nameless@example.org" },
}

/** As a host would look a session cookie up. */
const authenticate = async (request: Request): Promise<Authentication> => {
  const user = people[request.headers.get("cookie") ?? ""]
  return user === undefined
    ? { refusal: "log in at /login" }
    : ({ user } as unknown as Authentication)
}

const token = "a-long-enough-token"

/** A server on the file: what it replies, and what its worker has ended. */
const serving = Effect.fnUntraced(function* (path: string, options: Partial<ApiOptions> = {}) {
  const folder = newFolder()
  const texts = { letters, plain }
  const loaded = new Map<string, Effect.Success<ReturnType<typeof load>>>()
  for (const [name, text] of Object.entries(texts)) {
    const file = join(folder, `${name}.yaml`)
    writeFileSync(file, text)
    loaded.set(name, yield* load(file, { extraPlugins: [plugin] }))
  }
  const store = storeAt(path)
  const ends: Array<{ readonly run: string; readonly message: string | undefined }> = []
  let noted = Deferred.makeUnsafe<void>()
  const running = yield* worker(store, {
    every: 50,
    load: (definition) => Effect.succeed(loaded.get(String(definition))!),
    onEnd: ({ exit, run }) => {
      const [reason] = exit._tag === "Failure" ? exit.cause.reasons : []
      const error = (reason as { readonly error?: { readonly message: string } } | undefined)?.error
      ends.push({ run, message: error?.message })
      Deferred.doneUnsafe(noted, Effect.void)
      noted = Deferred.makeUnsafe()
    },
  })
  const defects: Array<unknown> = []
  const handle = handler({
    store,
    worker: running,
    workflows: new Map(
      [...loaded].map(([name, { pipeline, secrets }]) => [
        name,
        { pipeline, secrets, definition: name },
      ]),
    ),
    onDefect: (error) => defects.push(error),
    ...options,
  })
  const ask = (who: string, method: string, route: string, body?: unknown, more = {}) =>
    Effect.promise(async () => {
      const response = await handle(
        new Request(`http://localhost${route}`, {
          method,
          headers: {
            "content-type": "application/json",
            ...(who === "" ? {} : { cookie: who }),
            ...more,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      )
      const text = await response.text()
      return { status: response.status, body: (text === "" ? null : JSON.parse(text)) as any }
    })
  const start = (who: string, run: string, more: JsonObject = {}, workflow = "letters") =>
    ask(who, "POST", `/workflows/${workflow}/runs`, more, { "idempotency-key": run })
  /** Waits for the worker to be done with a run `times` times. */
  const ended = (run: string, times = 1) =>
    Effect.gen(function* () {
      for (;;) {
        const found = ends.filter((one) => one.run === run)
        if (found.length >= times) return found[times - 1]!
        yield* Deferred.await(noted)
      }
    })
  return { ask, defects, ended, start, store }
})

const users = { authenticate, token }
const bearer = { authorization: `Bearer ${token}` }

describe("the HTTP API with a token only", () => {
  it.live(
    "refuses to start a workflow that declares a user, whatever the body and headers say",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { ask, store } = yield* serving(newFile(), { token })
          const path = "/workflows/letters/runs"
          const refused = yield* ask("", "POST", path, {}, bearer)
          assert.strictEqual(refused.status, 403)
          assert.strictEqual(refused.body.type, "urn:planloom:problem:user_required")
          assert.include(refused.body.detail, "`authenticate` callback")
          const header = { ...bearer, "x-user": JSON.stringify(people["ann"]), cookie: "ann" }
          assert.strictEqual((yield* ask("", "POST", path, {}, header)).status, 403)
          const body = { user: people["ann"] }
          assert.strictEqual((yield* ask("", "POST", path, body, bearer)).status, 422)
          assert.strictEqual(
            (yield* ask("", "POST", "/workflows/plain/runs", {}, bearer)).status,
            202,
          )
          assert.strictEqual((yield* store.list({ workflow: "letters" })).length, 0)
          const { body: listed } = yield* ask("", "GET", "/workflows", undefined, bearer)
          assert.deepStrictEqual(listed[0].user.required, ["id", "email"])
        }),
      ),
  )
})

describe("the HTTP API with authenticate", () => {
  it.live(
    "records a user as the author of their answer, and no caller under a name of the engine",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { ask, ended, start, store } = yield* serving(newFile(), users)
          yield* start("ann", "r")
          yield* ended("r")
          const answer = (who: string, by: string | undefined, more = {}) =>
            ask(who, "POST", "/runs/r/answers/sign_off", { value: true, by }, more)
          const marks = ["key:admin", "expired", "default", "declined"]
          for (const by of [...marks, "boss", "token"]) {
            const { body, status } = yield* answer("ann", by)
            assert.strictEqual(status, 422)
            assert.deepStrictEqual(
              body.issues.map(({ path }: { readonly path: string }) => path),
              ["/by"],
            )
          }
          for (const by of [...marks, "user"]) {
            assert.strictEqual((yield* answer("", by, bearer)).status, 422)
          }
          assert.strictEqual((yield* answer("ann", undefined)).status, 200)
          const { waits } = yield* store.read("r")
          assert.deepStrictEqual(
            waits.map((wait) => wait.answer?.by),
            ["user"],
          )
        }),
      ),
  )

  it.live("runs a workflow for the user that the host found, who answers its question", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const path = newFile()
        const { ask, ended, start } = yield* serving(path, users)
        assert.strictEqual((yield* start("", "r")).status, 401)
        assert.strictEqual((yield* start("", "r")).body.detail, "log in at /login")
        assert.strictEqual((yield* start("ann", "r")).status, 202)
        yield* ended("r")
        const { body: run } = yield* ask("ann", "GET", "/runs/r")
        assert.strictEqual(run.status, "suspended")
        const answer = yield* ask("ann", "POST", "/runs/r/answers/sign_off", { value: true })
        assert.strictEqual(answer.status, 200)
        yield* ended("r", 2)
        const { body: after } = yield* ask("ann", "GET", "/runs/r")
        assert.strictEqual(after.status, "succeeded")
        assert.deepStrictEqual(after.result.outputs, {
          letter: "letter 1 to [user:email]",
          to: "[user:email]",
        })
        const bytes = readFileSync(path, "latin1") + readFileSync(`${path}-wal`, "latin1")
        assert.notMatch(bytes, /ann@example\.org|user-4711/)
      }),
    ),
  )

  it.live(
    "gives a user the course and what is shown, and an operator the values of stages, too",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { ask, ended, start } = yield* serving(newFile(), users)
          yield* start("ann", "r", { inputs: { note: "hi" } })
          yield* ended("r")
          const own = (yield* ask("ann", "GET", "/runs/r/events")).body as ReadonlyArray<RunEvent>
          const all = (yield* ask("", "GET", "/runs/r/events", undefined, bearer))
            .body as ReadonlyArray<RunEvent>
          const outputs = (events: ReadonlyArray<RunEvent>) =>
            events.flatMap((event) => (event.type === "StageFinished" ? [event.output] : []))
          assert.deepStrictEqual(outputs(all), ["letter 1 to [user:email]"])
          assert.deepStrictEqual(outputs(own), [null])
          assert.isTrue(own.some(({ type }) => type === "Asked"))
          assert.isTrue(own.every(({ seq, type }) => all[seq]!.type === type))
          const { result } = (yield* ask("ann", "GET", "/runs/r")).body
          assert.strictEqual(result.stages.letter.output, null)
          assert.strictEqual(result.status, "suspended")
        }),
      ),
  )

  it.live("names the field of a user that does not fit the workflow", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { defects, start, store } = yield* serving(newFile(), users)
        const { body, status } = yield* start("short", "r")
        assert.deepStrictEqual([status, body.type], [403, "urn:planloom:problem:user_rejected"])
        assert.deepStrictEqual(
          body.issues.map((issue: { path: string }) => issue.path),
          ["/email"],
        )
        assert.strictEqual((yield* start("nameless", "r")).status, 500)
        assert.include(String(defects[0]), "whose `id` is a text")
        assert.deepStrictEqual(yield* store.list(), [])
      }),
    ),
  )

  it.live("hides a user's runs and questions from another user, who can change nothing", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask, ended, start, store } = yield* serving(newFile(), users)
        yield* start("ann", "r")
        yield* start("ann", "p", {}, "plain")
        yield* ended("r")
        yield* ended("p")
        for (const run of ["r", "p"]) {
          const before = yield* store.read(run)
          const forbidden = [
            ["GET", ""],
            ["GET", "/events"],
            ["POST", "/answers/sign_off", { value: true }],
            ["POST", "/cancel", {}],
            ["POST", "/resume", {}],
          ] as const
          for (const [method, path, body] of forbidden) {
            const reply = yield* ask("bob", method, `/runs/${run}${path}`, body)
            assert.deepStrictEqual(
              [reply.status, reply.body.type],
              [404, "urn:planloom:problem:unknown_resource"],
              `${method} ${run}${path}`,
            )
          }
          const { body, status } = yield* start("bob", run, {}, before.workflow)
          assert.strictEqual(status, 409)
          assert.notInclude(JSON.stringify(body), "userDigest")
          assert.deepStrictEqual(yield* store.read(run), before)
        }
        for (const path of ["/runs", "/runs?workflow=plain", "/waits", "/waits?run=r"]) {
          assert.deepStrictEqual((yield* ask("bob", "GET", path)).body, [], path)
        }
        assert.strictEqual((yield* ask("ann", "GET", "/runs")).body.length, 2)
        assert.strictEqual((yield* ask("ann", "GET", "/waits")).body.length, 2)
        const models = "/workflows/letters/models"
        for (const [method, path] of [
          ["GET", models],
          ["POST", models],
          ["POST", `${models}/undo`],
        ] as const) {
          const reply = yield* ask("ann", method, path, method === "GET" ? undefined : {})
          assert.deepStrictEqual(
            [reply.status, reply.body.type],
            [403, "urn:planloom:problem:forbidden"],
          )
        }
        assert.strictEqual((yield* ask("", "GET", "/runs", undefined, bearer)).body.length, 2)
      }),
    ),
  )

  it.live("gives every user sessions of their own, also under the same name", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask, ended, start, store } = yield* serving(newFile(), users)
        const turn = Effect.fnUntraced(function* (who: string, run: string, session = "s") {
          assert.strictEqual((yield* start(who, run, { session })).status, 202)
          yield* ended(run)
          yield* ask(who, "POST", `/runs/${run}/answers/sign_off`, { value: true })
          yield* ended(run, 2)
          const { body } = yield* ask(who, "GET", `/runs/${run}`)
          return [body.result.outputs.letter, body.session] as const
        })
        const [first, named] = yield* turn("ann", "a1")
        assert.strictEqual(first, "letter 1 to [user:email]")
        assert.strictEqual((yield* turn("ann", "a2"))[0], "letter 2 to [user:email]")
        assert.strictEqual((yield* turn("bob", "b1"))[0], "letter 1 to [user:email]")
        // The name in a reply is the same session; for another user it is a new one.
        assert.strictEqual((yield* turn("ann", "a3", named))[0], "letter 3 to [user:email]")
        assert.strictEqual((yield* turn("bob", "b2", named))[0], "letter 1 to [user:email]")
        assert.strictEqual((yield* ask("ann", "GET", "/runs?session=s")).body.length, 3)
        assert.strictEqual((yield* ask("bob", "GET", "/runs?session=s")).body.length, 1)
        assert.strictEqual((yield* store.sessions.load(named))?.turns.length, 3)
      }),
    ),
  )

  it.live("resumes a run of an ended process when the same user asks for it", () =>
    Effect.gen(function* () {
      const path = newFile()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { ended, start } = yield* serving(path, users)
          yield* start("ann", "r", { inputs: { note: "mail to ann@example.org" } })
          yield* ended("r")
        }),
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { ask, ended } = yield* serving(path, users)
          const answer = { value: true }
          // An operator may answer, but has no user to resume the run with.
          const operator = yield* ask("", "POST", "/runs/r/answers/sign_off", answer, bearer)
          assert.strictEqual(operator.status, 200)
          assert.include((yield* ended("r")).message, "needs a user")
          assert.strictEqual((yield* ask("bob", "POST", "/runs/r/resume", {})).status, 404)
          assert.strictEqual((yield* ask("ann", "POST", "/runs/r/resume", {})).status, 202)
          yield* ended("r", 2)
          assert.strictEqual((yield* ask("ann", "GET", "/runs/r")).body.status, "succeeded")
        }),
      )
    }),
  )
})
