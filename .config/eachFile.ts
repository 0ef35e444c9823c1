/** What a module needs anew for each test file, where files share a worker and the module is evaluated once for all of them. */

interface FileResource {
  readonly start?: () => unknown
  readonly end: () => unknown
}

const resources: Array<FileResource> = []

/** Starts a resource, ends it after the current file, and does both for every later file of the worker. */
export const eachFile = async (resource: FileResource): Promise<void> => {
  resources.push(resource)
  await resource.start?.()
}

export const startFile = async (): Promise<void> => {
  for (const { start } of resources) await start?.()
}

export const endFile = async (): Promise<void> => {
  for (const { end } of resources) await end()
}
