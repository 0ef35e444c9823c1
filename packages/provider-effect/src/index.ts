/** Any Effect AI `LanguageModel` as a provider of the contract. */
export { fromLanguageModel, type LanguageModelOptions } from "./fromLanguageModel.ts"
