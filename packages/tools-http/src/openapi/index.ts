/** Import of OpenAPI documents as catalogs. */
export {
  importOpenApi,
  ImportRejected,
  type Imported,
  type ImportOptions,
} from "./importOpenApi.ts"
export type { Skipped } from "./Spec.ts"
