/** Import of OpenAPI documents as catalogs. */
export { importOpenApi, type Imported } from "./importOpenApi.ts"
export { ImportRejected, type ImportOptions } from "./ImportOptions.ts"
export type { Skipped } from "./Spec.ts"
