/** Services of models that a new project can use, and what each of them needs. */

/** The versions of SDKs that the command is tested with. */
const SDK = {
  "@anthropic-ai/sdk": "^1.11.0",
  "@google/genai": "^3.1.0",
  openai: "^7.55.0",
} as const

export interface Provider {
  /** As a question names it. */
  readonly title: string
  readonly plugin: string
  readonly model: string
  /** Settings beside `try`, as YAML. */
  readonly settings?: string
  /** The secret with the API key, and where to get one. */
  readonly key?: { readonly name: string; readonly page: string }
  readonly sdk: keyof typeof SDK
}

const providers = {
  anthropic: {
    title: "Anthropic (Claude)",
    plugin: "@planloom/provider-anthropic",
    model: "anthropic/claude-haiku-4-5",
    key: { name: "ANTHROPIC_API_KEY", page: "https://platform.claude.com/settings/keys" },
    sdk: "@anthropic-ai/sdk",
  },
  openai: {
    title: "OpenAI (GPT)",
    plugin: "@planloom/provider-openai",
    model: "openai/gpt-4.1-mini",
    key: { name: "OPENAI_API_KEY", page: "https://platform.openai.com/api-keys" },
    sdk: "openai",
  },
  google: {
    title: "Google (Gemini)",
    plugin: "@planloom/provider-google",
    model: "google/gemini-3.5-flash-lite",
    key: { name: "GEMINI_API_KEY", page: "https://aistudio.google.com/apikey" },
    sdk: "@google/genai",
  },
  ollama: {
    title: "Ollama (on this machine, no key)",
    plugin: "@planloom/provider-openai",
    model: "ollama/qwen3",
    settings: "reasoning: none",
    sdk: "openai",
  },
} as const satisfies { readonly [name: string]: Provider }

/** `none`: no model; stages work by rules. */
export type ProviderName = keyof typeof providers | "none"

export const providerNames = [...Object.keys(providers), "none"] as ReadonlyArray<ProviderName>

export const providerOf = (name: ProviderName): Provider | undefined =>
  name === "none" ? undefined : providers[name]

export const sdkDependency = ({ sdk }: Provider): { readonly [name: string]: string } => ({
  [sdk]: SDK[sdk],
})
