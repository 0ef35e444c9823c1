/** Facts on models: limits, prices, capabilities, and computations on them. */
export {
  type ModelFacts,
  factsOf,
  type Facts,
  providerOf,
  outputForms,
  capabilities,
  reasoningLevels,
  refusable,
  type ModelPrice,
  costOf,
  outputLimit,
} from "./Facts.ts"
export { unsupportedSettings, omittedSettings } from "./omittedSettings.ts"
export { isReasoningModel, unsupportedReasoning } from "./reasoning.ts"
export { isReserved, reservedOptions, withOptions } from "./reservedOptions.ts"
export { isMadeCall } from "./isMadeCall.ts"
export { less, requestsOf, requestUsages } from "./requestUsages.ts"
export { estimateTokens } from "./estimateTokens.ts"
export { sumUsage } from "./sumUsage.ts"
export { dollars } from "./dollars.ts"
export { worstCost } from "./worstCost.ts"
