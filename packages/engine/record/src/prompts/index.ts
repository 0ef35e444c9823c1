/** Prompt texts that are kept as versions in a run store. */
export {
  PromptRefused,
  PromptRegistry,
  type PromptChange,
  type PromptState,
  type PromptVersion,
} from "./PromptRegistry.ts"
