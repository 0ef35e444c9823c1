/** Describes an optional package that is not installed, with the command that installs it. */

/** Undefined unless `error`, thrown by `import()`, says that Node cannot find the package. */
export const missingPackage = (name: string, error: unknown): string | undefined => {
  const { code, message = "" } = error as { readonly code?: string; readonly message?: string }
  return code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${name}'`)
    ? `${name} is not installed: npm install ${name}`
    : undefined
}
