/** The provider for Claude models, and the plugin that registers it. */
export { anthropic } from "./anthropic.ts"
export type { AnthropicOptions } from "./options.ts"
export { default } from "./plugin.ts"
