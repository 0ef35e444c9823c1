/** Checks the base URL of a service in a project's config. */

/**
 * The problem with a base URL as a sentence, or undefined if requests can be sent to it. The sentence never repeats
 * the URL, because it may contain a secret. SDKs append the paths of their requests to the base URL.
 */
export const baseUrlProblem = (address: string): string | undefined => {
  const url = URL.parse(address)
  if (!/^https?:\/\/[^/\s]/.test(address)) {
    const scheme = /^[a-z][a-z0-9+.-]*(?=:\/\/)/i.exec(address)?.[0].toLowerCase()
    if (scheme !== undefined && scheme !== "http" && scheme !== "https") {
      return `an address begins with http:// or https://, not with ${scheme}://`
    }
    return URL.canParse(`http://${address}`) && !/^\/|^https?:/i.test(address)
      ? `http:// or https:// is missing at the beginning: ${example}`
      : `this is not a valid address: ${example}`
  }
  if (url === null || /\s/.test(address)) return `this is not a valid address: ${example}`
  if (url.username !== "" || url.password !== "") {
    return "an address cannot hold a name and a password: keys are secrets of the environment"
  }
  if (/[?#]/.test(address)) {
    return "an address ends before ? and #: the paths of requests are appended to it"
  }
  return undefined
}

const example = "write one such as https://gateway.example.org/v1"
