/** Search of the files in one folder, as a plugin; and the folder, descriptions, arguments and wording, for tools of other plugins. */
export { fileTools, type FileToolsOptions } from "./source.ts"
export { FilesFailed } from "./FilesFailed.ts"
export { listed } from "./FileTool.ts"
export { Folder, type Excerpt } from "./folder/Folder.ts"
export { KeptFiles } from "./folder/KeptFiles.ts"
export { default } from "./plugin.ts"
export * as sharedParams from "./tools/params.ts"
export { counted, enumerated } from "./tools/sentences.ts"
