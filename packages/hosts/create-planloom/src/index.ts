/** Writes projects and packages of components; needs Node alone, so that `npm create planloom` is small. */
export { createPackage, type ComponentKind } from "./component/createPackage.ts"
export { NotCreated } from "./NotCreated.ts"
export { initProject, type InitFlags } from "./project/initProject.ts"
export type { ProviderName } from "./project/Provider.ts"
export type { TemplateName } from "./project/Template.ts"
