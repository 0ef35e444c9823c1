/** Tokens of a text: counted, estimated, and at most. */
export { estimate, estimateTokens, tokenCounter, type TokenCounter } from "./tokens.ts"
export { mostTokens } from "./mostTokens.ts"
export {
  IMAGE_TOKENS,
  besideTexts,
  countOf,
  promptTokens,
  textTokens,
  tokenBound,
} from "./requestTokens.ts"
