/** Documents that can be searched. */
export type { Form } from "./chunk/Block.ts"
export { chunksOf, type Chunk } from "./chunk/chunksOf.ts"
