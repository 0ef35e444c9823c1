/** Known servers as data: default address, supported and refused settings. */
import type { MaxEffort, ReasoningField } from "./reasoning.ts"
import type { Setting, StructuredMode } from "./Setting.ts"

/** The field that marks a text for the prompt cache: Anthropic's, which OpenRouter forwards, or OpenAI's own. */
export type CacheMark = "cache_control" | "prompt_cache_breakpoint"

/** Chat completions, which all servers have, OpenAI's responses, and Ollama's own API. */
export const apiNames = ["chat", "responses", "ollama"] as const
export type ApiName = (typeof apiNames)[number]

/** Defaults of a server; a project's config can override each of them. */
export interface KnownServer {
  readonly summary: string
  readonly baseUrl: string | undefined
  /** The name of the secret with its key; undefined for a server without a key. */
  readonly key: string | undefined
  /** Modes of requesting JSON, best first. If the server refuses one, the next is tried once. */
  readonly structured: ReadonlyArray<StructuredMode>
  /** Whether the service accepts only schemas of objects. */
  readonly objectRoots: boolean
  /**
   * How a tool is forced: by its name, or as the only tool of a required call. llama.cpp and LM Studio ignore or refuse
   * the object that names it.
   */
  readonly toolChoice: "named" | "required"
  /** Of models without one of their own. */
  readonly api: ApiName
  readonly maxTokensField: "max_tokens" | "max_completion_tokens"
  /** Where the level of reasoning goes. */
  readonly reasoningField: ReasoningField
  /** The effort for the level `max`. */
  readonly maxEffort: MaxEffort
  /** Settings it refuses. */
  readonly omit: ReadonlyArray<Setting>
  /** How ends of stable text are marked; undefined if the server refuses marks. */
  readonly cacheMark: CacheMark | undefined
  /** By prefix of a model's name: settings that model also refuses, and its own mark. */
  readonly models: {
    readonly [prefix: string]: {
      readonly omit: ReadonlyArray<Setting>
      readonly cacheMark?: CacheMark
      readonly maxEffort?: MaxEffort
      readonly api?: ApiName
    }
  }
}

const local = (summary: string, baseUrl: string | undefined): KnownServer => ({
  summary,
  baseUrl,
  key: undefined,
  structured: ["json_schema", "json_object"],
  objectRoots: false,
  toolChoice: "required",
  api: "chat",
  maxTokensField: "max_tokens",
  reasoningField: "reasoning_effort",
  maxEffort: "high",
  omit: [],
  cacheMark: undefined,
  models: {},
})

/** OpenAI's reasoning models refuse stop sequences and every temperature except their default. */
const reasoningModel = { omit: ["temperature", "stop"] } as const
/**
 * These models refuse tools beside reasoning in chat completions, or are not offered there.
 * Source: OpenAI, "Reasoning models" and the pages of the models.
 */
const responsesModel = { ...reasoningModel, api: "responses" } as const
/**
 * From 5.6 on, models reuse a cached prefix only at a mark; earlier models find prefixes themselves.
 * Source: OpenAI, "Prompt caching".
 */
const markedModel = {
  ...responsesModel,
  cacheMark: "prompt_cache_breakpoint",
  maxEffort: "max",
} as const

export const knownServers = {
  openai: {
    ...local("Models of OpenAI.", "https://api.openai.com/v1"),
    key: "OPENAI_API_KEY",
    structured: ["json_schema", "json_object"],
    objectRoots: true,
    toolChoice: "named",
    maxTokensField: "max_completion_tokens",
    maxEffort: "xhigh",
    omit: ["top_k"],
    models: {
      o1: reasoningModel,
      o3: reasoningModel,
      o4: reasoningModel,
      "o1-pro": responsesModel,
      "o3-pro": responsesModel,
      "o3-deep-research": responsesModel,
      "o4-mini-deep-research": responsesModel,
      "gpt-5": reasoningModel,
      "gpt-5-pro": responsesModel,
      "gpt-5-codex": responsesModel,
      "gpt-5.1-codex": responsesModel,
      "gpt-5.2-pro": responsesModel,
      "gpt-5.2-codex": responsesModel,
      "gpt-5.3-codex": responsesModel,
      "gpt-5.4": responsesModel,
      "gpt-5.5": responsesModel,
      "gpt-5.6": markedModel,
      "gpt-6": markedModel,
    },
  },
  openrouter: {
    ...local("Models routed by OpenRouter.", "https://openrouter.ai/api/v1"),
    key: "OPENROUTER_API_KEY",
    objectRoots: true,
    toolChoice: "named",
    cacheMark: "cache_control",
    reasoningField: "reasoning",
    maxEffort: "xhigh",
  },
  ollama: {
    ...local("Models on this machine, run by Ollama.", "http://127.0.0.1:11434/v1"),
    api: "ollama",
    maxEffort: "max",
  },
  llamacpp: {
    ...local("A model on this machine, run by llama.cpp's server.", "http://127.0.0.1:8080/v1"),
    reasoningField: "chat_template_kwargs",
  },
  vllm: {
    ...local("Models run by vLLM.", "http://127.0.0.1:8000/v1"),
    toolChoice: "named",
    reasoningField: "chat_template_kwargs",
  },
  lmstudio: local("Models on this machine, run by LM Studio.", "http://127.0.0.1:1234/v1"),
  local: local("Any server with OpenAI's protocol.", undefined),
} as const satisfies { readonly [id: string]: KnownServer }

export type ServerId = keyof typeof knownServers

export const serverIds = Object.keys(knownServers) as ReadonlyArray<ServerId>
