/** What is known of each server, as data: where it usually listens, what it takes and what it refuses. */
import type { Setting, StructuredMode } from "./options.ts"

/** The field of a text that marks it: Anthropic's, as OpenRouter hands it on, or OpenAI's own. */
export type CacheMark = "cache_control" | "prompt_cache_breakpoint"

/** All of it can be said otherwise in the config. */
export interface KnownServer {
  readonly summary: string
  readonly baseUrl: string | undefined
  /** The name of the secret with its key; undefined where none is needed. */
  readonly key: string | undefined
  /** Ways of asking for JSON, best first. The next one is tried once, when the server refuses one. */
  readonly structured: ReadonlyArray<StructuredMode>
  readonly maxTokensField: "max_tokens" | "max_completion_tokens"
  /** Settings it refuses. */
  readonly omit: ReadonlyArray<Setting>
  /** How ends of stable text are marked; undefined where marks are refused. */
  readonly cacheMark: CacheMark | undefined
  /** By the beginning of a model's name: what that model refuses besides, and its own mark. */
  readonly models: {
    readonly [prefix: string]: {
      readonly omit: ReadonlyArray<Setting>
      readonly cacheMark?: CacheMark
    }
  }
}

const local = (summary: string, baseUrl: string | undefined): KnownServer => ({
  summary,
  baseUrl,
  key: undefined,
  structured: ["json_schema", "json_object"],
  maxTokensField: "max_tokens",
  omit: [],
  cacheMark: undefined,
  models: {},
})

/** OpenAI's reasoning models refuse every temperature but their own, and stop sequences. */
const reasons = { omit: ["temperature", "stop"] } as const
/**
 * From 5.6 on a cached prefix is found only where it was marked; models before find prefixes by themselves.
 * Source: OpenAI, "Prompt caching".
 */
const marked = { ...reasons, cacheMark: "prompt_cache_breakpoint" } as const

export const knownServers = {
  openai: {
    ...local("Models of OpenAI.", "https://api.openai.com/v1"),
    key: "OPENAI_API_KEY",
    structured: ["json_schema", "json_object"],
    maxTokensField: "max_completion_tokens",
    omit: ["top_k"],
    models: {
      o1: reasons,
      o3: reasons,
      o4: reasons,
      "gpt-5": reasons,
      "gpt-5.6": marked,
      "gpt-6": marked,
    },
  },
  openrouter: {
    ...local("Models that OpenRouter finds a place for.", "https://openrouter.ai/api/v1"),
    key: "OPENROUTER_API_KEY",
    cacheMark: "cache_control",
  },
  ollama: local("Models on this machine, run by Ollama.", "http://127.0.0.1:11434/v1"),
  llamacpp: local(
    "A model on this machine, run by llama.cpp's server.",
    "http://127.0.0.1:8080/v1",
  ),
  vllm: local("Models run by vLLM.", "http://127.0.0.1:8000/v1"),
  lmstudio: local("Models on this machine, run by LM Studio.", "http://127.0.0.1:1234/v1"),
  local: local("Any server that speaks OpenAI's protocol.", undefined),
} as const satisfies { readonly [id: string]: KnownServer }

export type ServerId = keyof typeof knownServers

export const serverIds = Object.keys(knownServers) as ReadonlyArray<ServerId>
