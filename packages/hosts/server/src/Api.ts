/** Options and request types of the HTTP API. */
import type { Effect } from "effect/Effect"
import type { Json, RunStore, StoreFailed } from "@planloom/plugin/effect"
import type { KeptSwaps } from "@planloom/record/models"
import type { PromptRegistry } from "@planloom/record/prompts"
import type { LoadedWorkflow } from "@planloom/core"
import type { Worker } from "@planloom/record/worker"
import type { AccessRules } from "./authorize.ts"
import type { Caller } from "./Caller.ts"
import type { EraseUser, ReviewsEndpoint } from "./ReviewsEndpoint.ts"
import type { RunParts } from "./RunParts.ts"

/** A workflow whose runs may be started over HTTP. */
export type ServedWorkflow = Pick<LoadedWorkflow, "pipeline" | "secrets"> & {
  /** Passed to the worker's `load` when a run of this workflow is resumed. */
  readonly definition: Json
  /** Values of the secrets that sign its webhooks, each of them accepted; without one no webhook starts it. */
  readonly webhookSecrets?: ReadonlyArray<string>
  /** Without them the prompts of the workflow are not changed over HTTP. */
  readonly prompts?: ServedPrompts
}

export interface ServedPrompts {
  /** Texts of the prompt files, as loaded, by name of the prompt. */
  readonly files: ReadonlyMap<string, string>
  /** Where and why a text may not become a version of the prompt; empty if it may. */
  readonly check: (prompt: string, text: string) => Effect<ReadonlyArray<PromptIssue>>
}

/** Lines and columns count from 1. */
export interface PromptIssue {
  readonly file: string
  readonly line: number
  readonly col: number
  /** Of the diagnostic. */
  readonly code?: string
  readonly message: string
}

/** Serves another protocol to the caller of a request, by the API as that caller gets it. Two callers have different ids. */
export type ProtocolEndpoint = (
  request: Request,
  caller: { readonly id: string; readonly api: (request: Request) => Promise<Response> },
) => Promise<Response>

/** A request that has its reply; the route as written, unless none matches or its caller is not accepted. */
export interface MeasuredRequest {
  readonly method: string
  readonly route: string | undefined
  readonly status: number
  readonly ms: number
}

/** Measures requests, and gives what was measured. */
export interface MetricsEndpoint {
  readonly requested: (request: MeasuredRequest) => void
  readonly read: Effect<{ readonly text: string; readonly contentType: string }, StoreFailed>
}

export interface ApiOptions extends AccessRules {
  readonly store: RunStore
  /** Resumes runs. Without a worker the API records answers, but starts, cancels and resumes no run. */
  readonly worker?: Worker
  /** Parts of the runs that this process executes; without it, event streams have none. */
  readonly parts?: RunParts
  /** Versions of prompts, which the worker's runs must be given too. */
  readonly prompts?: PromptRegistry
  /** Swaps of models, which the worker's runs must be given too. Without it swaps last as long as the workflow is loaded. */
  readonly models?: KeptSwaps
  /** By name. */
  readonly workflows?: ReadonlyMap<string, ServedWorkflow>
  /** Largest request body in bytes; default 1 MiB. */
  readonly maxBody?: number
  /** Waiting and active runs beyond which a new run is rejected with 503; default 20,000. */
  readonly maxWaiting?: number
  /** Requests per minute of each key, user or address; beyond that 429. Unlimited unless given. */
  readonly requestsPerMinute?: number
  /** Serves the Model Context Protocol at `/mcp`: `httpEndpoint` of `@planloom/mcp-server`. */
  readonly mcp?: ProtocolEndpoint
  /** The queue of reviews at `/reviews`. */
  readonly reviews?: ReviewsEndpoint
  /** Erases a user at `DELETE /users/:user`. */
  readonly eraseUser?: EraseUser
  /** Measures requests, and is served at `/metrics`; without it nothing is measured. */
  readonly metrics?: MetricsEndpoint
}

/** What the host knows of a request besides the request itself. */
export interface Connection {
  /** Address of the client, for limits. */
  readonly address?: string | undefined
}

/** A request matched to its route; `params` holds the path segments that the pattern names. */
export interface RouteRequest {
  readonly request: Request
  readonly params: { readonly [name: string]: string }
  readonly query: URLSearchParams
  readonly caller: Caller
}
