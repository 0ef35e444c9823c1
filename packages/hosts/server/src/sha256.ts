/** The SHA-256 of a text, in hexadecimal digits. */
export const sha256 = async (text: string): Promise<string> =>
  hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))))

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
