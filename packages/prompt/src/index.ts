/** What a model reads before the messages: sections, examples and declared tools. */
export {
  assemblePrompt,
  bare,
  isBare,
  renderSection,
  type AssembledPrompt,
} from "./assemblePrompt.ts"
export { declareTools } from "./declareTools.ts"
export { replayedHooks } from "./replayedHooks.ts"
export { systemBlocks } from "./systemBlocks.ts"
export { exampleTokens, withExamples, type ExampleSearch } from "./withExamples.ts"
export type { PointRunner } from "./PointRunner.ts"
export type { ExampleTurn, StageExamples } from "./StageExamples.ts"
export type { PromptTable, StagePrompt } from "./StagePrompt.ts"
