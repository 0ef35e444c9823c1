/** Routes that show, edit and swap the prompts of a served workflow. */
import { hash } from "node:crypto"
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import type { PromptRefused, PromptRegistry, PromptState } from "@planloom/record/prompts"
import type { ApiOptions, RouteRequest, ServedPrompts } from "./Api.ts"
import { requireOperator, viaOf } from "./Caller.ts"
import { decodeBody, invalidInput, optionalText } from "./decodeBody.ts"
import { workflowAt } from "./modelRoutes.ts"
import { Problem } from "./Problem.ts"
import { json, type RouteResponse } from "./runRoutes.ts"

/** A workflow whose prompts can be changed here. */
interface Place {
  readonly workflow: string
  readonly prompts: ServedPrompts
  readonly registry: PromptRegistry
}

const placeAt = (options: ApiOptions, request: RouteRequest): Effect.Effect<Place, Problem> =>
  Effect.gen(function* () {
    yield* requireOperator(request.caller)
    const { pipeline, prompts } = yield* workflowAt(options, request)
    const { prompts: registry } = options
    return prompts === undefined || registry === undefined
      ? yield* new Problem({
          code: "unavailable",
          detail: `this server does not keep versions of the prompts of "${pipeline.name}"`,
        })
      : { workflow: pipeline.name, prompts, registry }
  })

const promptAt = (
  { prompts, workflow }: Place,
  { params }: RouteRequest,
): Effect.Effect<{ readonly prompt: string; readonly file: string }, Problem> => {
  const prompt = params["prompt"]!
  const file = prompts.files.get(prompt)
  const known = [...prompts.files.keys()].join(", ") || "none"
  return file === undefined
    ? Effect.fail(
        new Problem({
          code: "unknown_resource",
          detail: `"${workflow}" has no prompt "${prompt}"; it has: ${known}`,
        }),
      )
    : Effect.succeed({ prompt, file })
}

const unchanged = { active: "file", latest: 0, revision: 0 } as const

export const listPrompts = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    const { prompts, registry, workflow } = yield* placeAt(options, request)
    const states = yield* registry.states(workflow)
    return json(
      [...prompts.files.keys()].map((prompt) => ({ prompt, ...unchanged, ...states[prompt] })),
    )
  })

export const showPrompt = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    const place = yield* placeAt(options, request)
    const { registry, workflow } = place
    const { file, prompt } = yield* promptAt(place, request)
    const state = (yield* registry.states(workflow))[prompt] ?? unchanged
    const versions = yield* registry.versions(workflow, prompt)
    const active = versions.find(({ number }) => number === state.active)
    return json(
      {
        prompt,
        ...state,
        text: active?.text ?? file,
        ...(active === undefined ? {} : { file_changed: hash("sha256", file) !== active.file }),
        versions: versions.map(({ file: _, text: _text, ...version }) => version),
      },
      200,
      { etag: etagOf(state) },
    )
  })

export const showVersion = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    const place = yield* placeAt(options, request)
    const { prompt } = yield* promptAt(place, request)
    const written = request.params["version"]!
    const version = /^[1-9]\d{0,7}$/.test(written)
      ? yield* place.registry.version(place.workflow, prompt, Number(written))
      : undefined
    return version === undefined
      ? yield* new Problem({
          code: "unknown_resource",
          detail: `the prompt "${prompt}" has no version "${written}"`,
        })
      : json({ prompt, ...version })
  })

/** Adds a version (`text`) or makes one active (`version`), for the next runs. */
export const changePrompt = (options: ApiOptions, request: RouteRequest): RouteResponse =>
  Effect.gen(function* () {
    const place = yield* placeAt(options, request)
    const { prompts, registry, workflow } = place
    const { file, prompt } = yield* promptAt(place, request)
    const body = yield* decodeBody(options, request, ["text", "version", "by", "why"])
    const [text, by, why] = [
      yield* optionalText(body, "text"),
      yield* optionalText(body, "by"),
      yield* optionalText(body, "why"),
    ]
    const revision = yield* expectedRevision(request)
    const change = {
      via: viaOf(request.caller),
      ...(by === undefined ? {} : { by }),
      ...(why === undefined ? {} : { why }),
      ...(revision === undefined ? {} : { revision }),
    }
    const { version } = body
    if ((text === undefined) === (version === undefined)) {
      return yield* invalidInput([{ path: "", message: 'must have one of "text" and "version"' }])
    }
    if (version !== undefined && version !== "file" && typeof version !== "number") {
      return yield* invalidInput([{ path: "/version", message: 'must be a number or "file"' }])
    }
    const candidate =
      text ??
      (typeof version === "number"
        ? (yield* registry.version(workflow, prompt, version))?.text
        : undefined)
    if (candidate !== undefined) yield* requireAccepted(prompts, prompt, candidate)
    const state = yield* Effect.catchTag(
      text === undefined
        ? registry.use(workflow, prompt, version as number | "file", change)
        : registry.edit(workflow, prompt, { text, file: hash("sha256", file) }, change),
      "PromptRefused",
      (refused) => Effect.fail(fromRefused(refused)),
    )
    return json({ prompt, ...state }, 200, { etag: etagOf(state) })
  })

/** An older version is checked too: the workflow may have changed since. */
const requireAccepted = (
  prompts: ServedPrompts,
  prompt: string,
  text: string,
): Effect.Effect<void, Problem> =>
  Effect.flatMap(prompts.check(prompt, text), (issues) => {
    const [first] = issues
    return first === undefined
      ? Effect.void
      : Effect.fail(
          new Problem({
            code: "invalid_input",
            detail: `${first.file}:${first.line}:${first.col} ${first.message}`,
            more: { issues: issues.map((issue): Json => ({ ...issue, path: "/text" })) },
          }),
        )
  })

const etagOf = ({ revision }: Pick<PromptState, "revision">): string => `"${revision}"`

/** Undefined without `If-Match`: the change applies to whatever is there. */
const expectedRevision = ({
  request,
}: RouteRequest): Effect.Effect<number | undefined, Problem> => {
  const given = request.headers.get("if-match")
  if (given === null || given.trim() === "*") return Effect.undefined
  const [, revision] = /^\s*"(\d{1,15})"\s*$/.exec(given) ?? []
  return revision === undefined
    ? Effect.fail(
        new Problem({
          code: "precondition_failed",
          detail: "If-Match must be the ETag of the prompt",
        }),
      )
    : Effect.succeed(Number(revision))
}

const fromRefused = ({ message, reason }: PromptRefused): Problem =>
  new Problem({
    code: reason === "changed" ? "precondition_failed" : "unknown_resource",
    detail: message,
  })
