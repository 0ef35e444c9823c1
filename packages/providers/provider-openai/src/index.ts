/** Providers, embedder, reranker and moderation for servers with OpenAI's protocol, and the plugin that bundles them. */
export { embedder } from "./embedder.ts"
export { openai, type OpenAiProvider } from "./openai.ts"
export type { EmbeddingOptions, ModelSettings, RerankOptions, ServerOptions } from "./options.ts"
export { default } from "./plugin.ts"
export { reranker } from "./reranker.ts"
