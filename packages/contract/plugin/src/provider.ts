/** Contract of model providers, embedders and rerankers, in Effect style. */
export * from "./Failure.ts"
export * from "./Json.ts"
export * from "./Model.ts"
export * from "./Plugin.ts"
export * from "./Usage.ts"
