/** Redacts secrets in a text while it is being written, also a secret that arrives in several pieces. */
import { REDACTED, type Secrets } from "./scrub.ts"

/** Holds back only an end that may become a secret. */
export class SecretFilter {
  private readonly secrets: Secrets
  private held = ""

  constructor(secrets: Secrets) {
    this.secrets = secrets
  }

  /** The text that may leave now. */
  push(text: string): string {
    return this.pass(this.held + text, false)
  }

  /** What was held back, when no text follows. */
  end(): string {
    return this.pass(this.held, true)
  }

  private pass(text: string, isLast: boolean): string {
    const { first, values } = this.secrets
    let out = ""
    let from = 0
    let at = indexOf(first, text, 0)
    while (at < text.length) {
      const rest = text.length - at
      // The longest first: as long as it may still match, a shorter one must wait.
      const match = values.find((secret) =>
        secret.length <= rest
          ? text.startsWith(secret, at)
          : !isLast && secret.startsWith(text.slice(at)),
      )
      if (match !== undefined && match.length > rest) {
        this.held = text.slice(at)
        return out + text.slice(from, at)
      }
      if (match !== undefined) {
        out += text.slice(from, at) + REDACTED
        from = at + match.length
      }
      at = indexOf(first, text, match === undefined ? at + 1 : from)
    }
    this.held = ""
    return from === 0 ? text : out + text.slice(from)
  }
}

const indexOf = (first: RegExp, text: string, from: number): number => {
  first.lastIndex = from
  const match = first.exec(text)
  return match === null ? text.length : match.index
}
