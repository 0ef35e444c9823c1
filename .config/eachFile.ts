/** What a module needs anew for each test file, where files share a worker and the module is evaluated once for all of them. */

interface FileResource {
  readonly start?: () => void
  readonly end: () => unknown
}

const resources: Array<FileResource> = []

/** Starts a resource, ends it after the current file, and does both for every later file of the worker. */
export const eachFile = (resource: FileResource): void => {
  resource.start?.()
  resources.push(resource)
}

export const startFile = (): void => {
  for (const { start } of resources) start?.()
}

export const endFile = async (): Promise<void> => {
  for (const { end } of resources) await end()
}
