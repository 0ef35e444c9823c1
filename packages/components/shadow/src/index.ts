/** The key `shadow` of workflows and stages: reviews of replies before and after they leave. */
export { default } from "./plugin.ts"
