/** Search of the files in one folder, as a plugin; and the folder itself, for tools of other plugins. */
export { fileTools, type FileToolsOptions } from "./source.ts"
export { FilesFailed } from "./FilesFailed.ts"
export { Folder, type Excerpt } from "./folder/Folder.ts"
export { KeptFiles } from "./folder/KeptFiles.ts"
export { default } from "./plugin.ts"
