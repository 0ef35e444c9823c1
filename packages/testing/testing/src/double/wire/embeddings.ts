/** Vectors for texts, the same for the same text, in the shapes of OpenAI and Google. */
import { createHash } from "node:crypto"
import type { JsonObject } from "@planloom/plugin/effect"

/** Numbers between -1 and 1 that depend on nothing but the text; exact in 32 bits. */
export const vectorOf = (text: string, dimensions: number): ReadonlyArray<number> =>
  Array.from({ length: dimensions }, (_, index) => {
    const digest = createHash("sha256").update(`${index}:${text}`).digest()
    return (digest.readInt16LE(0) + 0.5) / 32_768
  })

/** OpenAI's: base64 of 32-bit floats where asked for. */
export const openaiEmbeddings = (body: JsonObject): JsonObject => {
  const input = body["input"] as string | ReadonlyArray<string>
  const texts = typeof input === "string" ? [input] : input
  const dimensions = (body["dimensions"] as number | undefined) ?? 8
  return {
    object: "list",
    model: body["model"] as string,
    data: texts.map((text, index) => {
      const vector = vectorOf(text, dimensions)
      const embedding =
        body["encoding_format"] === "base64"
          ? Buffer.from(Float32Array.from(vector).buffer).toString("base64")
          : vector
      return { object: "embedding", index, embedding }
    }),
    usage: { prompt_tokens: texts.length, total_tokens: texts.length },
  }
}

/** Google's, for a batch. */
export const googleEmbeddings = (body: JsonObject): JsonObject => {
  const requests = body["requests"] as ReadonlyArray<{
    readonly content: { readonly parts: ReadonlyArray<{ readonly text: string }> }
    readonly outputDimensionality?: number
  }>
  return {
    embeddings: requests.map(({ content, outputDimensionality = 8 }) => ({
      values: vectorOf(content.parts.map(({ text }) => text).join(""), outputDimensionality),
    })),
  }
}
