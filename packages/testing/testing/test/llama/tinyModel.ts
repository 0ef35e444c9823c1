/**
 * Writes a GGUF model of 2 MB that llama.cpp loads as any other: each token determines the next one, so that replies are known.
 * Attention and feed-forward are zero and embeddings one-hot; the output matrix is the table of which byte follows which.
 */
import { writeFileSync } from "node:fs"

export interface TinyModel {
  /** Its whole text, and every string of its JSON. Letters differ. */
  readonly word: string
  /** Letters that a string begins with if the word does not fit, before all others. */
  readonly prefers?: string
  /** Whether it begins with the call of a tool where tools are declared. */
  readonly calls?: boolean
}

const CONTEXT = 65_536
const EMBEDDING = 320
const FEED_FORWARD = 32
const HEADS = 4
/** Between two choices: far enough apart at any temperature up to 1. */
const GAP = 10

/** The printable characters that byte-level BPE writes bytes as. */
const byteTokens = (): ReadonlyArray<string> => {
  const isShown = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte !== 173 && byte <= 255)
  let next = 256
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(isShown(byte) ? byte : next++),
  )
}

const special = {
  end: "<|im_end|>",
  start: "<|im_start|>",
  inst: "[INST]",
  instEnd: "[/INST]",
  call: "<tool_call>",
  callEnd: "</tool_call>",
} as const
type Special = keyof typeof special

const names = Object.keys(special) as ReadonlyArray<Special>
/** One merge: the vocabulary must have some. */
const tokens: ReadonlyArray<string> = [...byteTokens(), ...names.map((name) => special[name]), "he"]
const idOf = (name: Special): number => 256 + names.indexOf(name)
const CONTROL = 3
const USER_DEFINED = 4
const NORMAL = 1
const types = tokens.map((_, id) => {
  const name = names[id - 256]
  if (name === undefined) return NORMAL
  return name === "call" || name === "callEnd" ? USER_DEFINED : CONTROL
})

/** Where a grammar leaves a choice that the table does not make. */
const order = `}]abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ,":.-_`

const bytes = (text: string): ReadonlyArray<number> => [...Buffer.from(text)]

/** What follows a token, best first. */
const tableOf = ({ calls = false, prefers = "", word }: TinyModel) => {
  const table = new Map<number, ReadonlyArray<number>>()
  const after = (before: string | number, ...next: ReadonlyArray<string | number>) => {
    const ids = next.flatMap((one) => (typeof one === "number" ? [one] : bytes(one)))
    for (const id of typeof before === "number" ? [before] : bytes(before)) table.set(id, ids)
  }
  const first = word[0]!
  for (const begin of [...bytes("\n "), idOf("instEnd")])
    after(begin, ...(calls ? [idOf("call")] : []), first, `{["`)
  for (const [index, letter] of [...word].entries())
    after(letter, ...(index === word.length - 1 ? [idOf("end"), '"'] : [word[index + 1]!]))
  after('"', first, prefers, ":}],")
  after("{", '}"')
  after("[", '"{]')
  after(":", '"{[1')
  after(",", '"{[')
  after("0123456789", "}],")
  after("]", "},]", idOf("end"))
  after("}", "}]", idOf("end"), idOf("callEnd"), ",")
  after(idOf("call"), "\n")
  after(idOf("callEnd"), idOf("end"))
  return table
}

/** Logits of the next token, by the one before it. */
const logitsAfter = (best: ReadonlyArray<number>): Float32Array => {
  const logits = new Float32Array(tokens.length).fill(-GAP * order.length * 2)
  for (const [rank, id] of bytes(order).entries()) logits[id] = -GAP * rank
  for (const [rank, id] of best.toReversed().entries()) logits[id] = GAP * (rank + 1)
  return logits
}

interface Tensor {
  readonly name: string
  readonly shape: ReadonlyArray<number>
  readonly data: Float32Array
}

const tensorsOf = (model: TinyModel): ReadonlyArray<Tensor> => {
  const table = tableOf(model)
  const embeddings = new Float32Array(EMBEDDING * tokens.length)
  const output = new Float32Array(EMBEDDING * tokens.length)
  for (let before = 0; before < tokens.length; before++) {
    embeddings[before * EMBEDDING + before] = 1
    // The norm scales a one-hot vector to the square root of its length.
    for (const [next, logit] of logitsAfter(table.get(before) ?? []).entries())
      output[next * EMBEDDING + before] = logit / Math.sqrt(EMBEDDING)
  }
  const tensor = (name: string, shape: ReadonlyArray<number>, value = 0): Tensor => ({
    name: `${name}.weight`,
    shape,
    data: new Float32Array(shape.reduce((product, size) => product * size, 1)).fill(value),
  })
  const square = [EMBEDDING, EMBEDDING]
  return [
    { name: "token_embd.weight", shape: [EMBEDDING, tokens.length], data: embeddings },
    tensor("output_norm", [EMBEDDING], 1),
    { name: "output.weight", shape: [EMBEDDING, tokens.length], data: output },
    tensor("blk.0.attn_norm", [EMBEDDING], 1),
    ...["q", "k", "v", "output"].map((name) => tensor(`blk.0.attn_${name}`, square)),
    tensor("blk.0.ffn_norm", [EMBEDDING], 1),
    tensor("blk.0.ffn_gate", [EMBEDDING, FEED_FORWARD]),
    tensor("blk.0.ffn_up", [EMBEDDING, FEED_FORWARD]),
    tensor("blk.0.ffn_down", [FEED_FORWARD, EMBEDDING]),
  ]
}

/** Value types of the format. */
const types32 = { uint32: 4, int32: 5, float32: 6 } as const
const STRING = 8
const ARRAY = 9
/** Data begins, and continues, at multiples of it. */
const ALIGNMENT = 32

const number32 = (value: number, type: keyof typeof types32 = "uint32"): Buffer => {
  const buffer = Buffer.alloc(4)
  if (type === "float32") buffer.writeFloatLE(value)
  else buffer.writeUInt32LE(value)
  return buffer
}
const number64 = (value: number): Buffer => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}
const string = (text: string): Buffer =>
  Buffer.concat([number64(Buffer.byteLength(text)), Buffer.from(text)])

type Entry = readonly [key: string, ...value: ReadonlyArray<Buffer>]
const text = (key: string, value: string): Entry => [key, number32(STRING), string(value)]
const one = (key: string, value: number, type: keyof typeof types32 = "uint32"): Entry => [
  key,
  number32(types32[type]),
  number32(value, type),
]
const list = (key: string, type: number, values: ReadonlyArray<Buffer>): Entry => [
  key,
  number32(ARRAY),
  number32(type),
  number64(values.length),
  ...values,
]

const TEMPLATE = `{% for m in messages %}${special.start}{{ m.role }}\n{{ m.content }}${special.end}\n{% endfor %}{% if add_generation_prompt %}${special.start}assistant\n{% endif %}`

const entries: ReadonlyArray<Entry> = [
  text("general.architecture", "llama"),
  text("general.name", "tiny"),
  one("llama.context_length", CONTEXT),
  one("llama.embedding_length", EMBEDDING),
  one("llama.block_count", 1),
  one("llama.feed_forward_length", FEED_FORWARD),
  one("llama.attention.head_count", HEADS),
  one("llama.attention.head_count_kv", HEADS),
  one("llama.attention.layer_norm_rms_epsilon", 1e-5, "float32"),
  one("llama.rope.dimension_count", EMBEDDING / HEADS),
  one("llama.vocab_size", tokens.length),
  text("tokenizer.ggml.model", "gpt2"),
  text("tokenizer.ggml.pre", "qwen2"),
  list("tokenizer.ggml.tokens", STRING, tokens.map(string)),
  list(
    "tokenizer.ggml.token_type",
    types32.int32,
    types.map((type) => number32(type)),
  ),
  list("tokenizer.ggml.merges", STRING, [string("h e")]),
  one("tokenizer.ggml.bos_token_id", idOf("start")),
  one("tokenizer.ggml.eos_token_id", idOf("end")),
  text("tokenizer.chat_template", TEMPLATE),
]

const padded = (data: Buffer): Buffer =>
  Buffer.concat([data, Buffer.alloc(-data.length & (ALIGNMENT - 1))])

export const writeTinyModel = (path: string, model: TinyModel): void => {
  const tensors = tensorsOf(model)
  let offset = 0
  const infos = tensors.flatMap(({ data, name, shape }) => {
    const at = offset
    offset += Math.ceil(data.byteLength / ALIGNMENT) * ALIGNMENT
    return [string(name), number32(shape.length), ...shape.map(number64), number32(0), number64(at)]
  })
  const VERSION = 3
  const counts = [number32(VERSION), number64(tensors.length), number64(entries.length)]
  const metadata = entries.flatMap(([key, ...value]) => [string(key), ...value])
  const head = Buffer.concat([Buffer.from("GGUF"), ...counts, ...metadata, ...infos])
  const weights = tensors.map(({ data }) => padded(Buffer.from(data.buffer)))
  writeFileSync(path, Buffer.concat([padded(head), ...weights]))
}
