/** Facts on models: limits, prices, capabilities, and arithmetic on them. */
export {
  type ModelFacts,
  factsOf,
  type Facts,
  providerOf,
  outputForms,
  capabilities,
  refusable,
  type ModelPrice,
  costOf,
  outputLimit,
} from "./Facts.ts"
export { refusedBy, leftOut } from "./leftOut.ts"
export { dollars } from "./dollars.ts"
