/** Contract of model providers, embedders and rerankers, in Effect style. */
export * from "./run/Failure.ts"
export * from "./value/Json.ts"
export * from "./component/Model.ts"
export * from "./Plugin.ts"
export * from "./run/Usage.ts"
