/** Adapters in both directions between Effect AI's `LanguageModel` and providers of the contract. */
export { fromLanguageModel, type LanguageModelOptions } from "./fromLanguageModel.ts"
export { languageModelLayer, toLanguageModel, type RequestSettings } from "./toLanguageModel.ts"
