/** The address of a service, as a project's file says it: whether requests can be sent there. */

/**
 * What is wrong with it, as a sentence that does not repeat it, for it may hold a secret; undefined where it is well.
 * SDKs append the paths of their requests to it.
 */
export const addressFault = (address: string): string | undefined => {
  const url = URL.parse(address)
  if (!/^https?:\/\/[^/\s]/.test(address)) {
    const other = /^[a-z][a-z0-9+.-]*(?=:\/\/)/i.exec(address)?.[0].toLowerCase()
    if (other !== undefined && other !== "http" && other !== "https") {
      return `an address begins with http:// or https://, not with ${other}://`
    }
    return URL.canParse(`http://${address}`) && !/^\/|^https?:/i.test(address)
      ? `http:// or https:// is missing at the beginning: ${example}`
      : `this is no address: ${example}`
  }
  if (url === null || /\s/.test(address)) return `this is no address: ${example}`
  if (url.username !== "" || url.password !== "") {
    return "an address cannot hold a name and a password: keys are secrets of the environment"
  }
  if (/[?#]/.test(address)) {
    return "an address ends before ? and #: the paths of requests are appended to it"
  }
  return undefined
}

const example = "write one such as https://gateway.example.org/v1"
