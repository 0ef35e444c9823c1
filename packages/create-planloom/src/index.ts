/** Writes projects and packages of components; needs Node alone, so that `npm create planloom` is small. */
export { createPackage, type ComponentKind } from "./component/createPackage.ts"
export { NotCreated } from "./NotCreated.ts"
export { scripts, writePackage } from "./project/packageJson.ts"
export { templates, writeTemplate, type TemplateName } from "./project/templates.ts"
