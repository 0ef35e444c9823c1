/** Swaps of models that are kept in a run store. */
export { KeptSwaps, type KeptSwap, type KeptTarget } from "./KeptSwaps.ts"
export { refusable, swapKept, undoKept } from "./swapKept.ts"
