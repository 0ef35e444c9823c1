/** Provider and embedder for Gemini models, and the plugin that bundles them. */
export { embedder } from "./embedder.ts"
export { google } from "./google.ts"
export type { GoogleOptions } from "./options.ts"
export { default } from "./plugin.ts"
