/**
 * Shares of valid numbers that are found in sentences, and of random digits that are taken for one. Sentences of `unseen`
 * are those of other authors, collected after the rules were written.
 */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import { piiFinder, piiKinds, type PiiKind } from "../src/index.ts"
import { Digits } from "./Digits.ts"

const digits = new Digits(7)

/** Valid numbers, in the forms in which people write them; by arithmetic of its own. */
const numbers: { readonly [kind in PiiKind]?: () => string } = {
  clabe: () => {
    const start = digits.one("002", "012", "014", "021", "036", "072", "127", "137", "646", "722")
    const number = digits.completed(start + digits.of(14), (all) => {
      const sum = [...all].reduce(
        (at, digit, place) => at + ((+digit * +"371"[place % 3]!) % 10),
        0,
      )
      return String((10 - (sum % 10)) % 10)
    })
    return digits.grouped(number, [], [3, 3, 11, 1], [4, 4, 4, 4, 2])
  },
  cbu: () => {
    const block = (all: string, weights: string) => {
      const sum = [...all].reduce(
        (at, digit, place) => at + +digit * +weights.at(place - all.length)!,
        0,
      )
      return String((10 - (sum % 10)) % 10)
    }
    const bank = digits.completed(
      digits.one("007", "011", "017", "072", "285", "000") + digits.of(4),
      (all) => block(all, "7139713"),
    )
    const account = digits.completed(digits.of(13), (all) => block(all, "3971397139713"))
    return digits.grouped(bank + account, [], [], [8, 14])
  },
  routing: () => {
    const all =
      digits.one("01", "02", "06", "07", "11", "12", "21", "26", "31", "32") + digits.of(6)
    const sum = [...all].reduce((at, digit, place) => at + +digit * +"37137137"[place]!, 0)
    return digits.grouped(all + String((10 - (sum % 10)) % 10), [], [], [4, 4, 1])
  },
  cpf: () => {
    let all = digits.of(9)
    while (all.length < 11) {
      const sum = [...all].reduce((at, digit, place) => at + +digit * (all.length + 1 - place), 0)
      all += String(((sum * 10) % 11) % 10)
    }
    return digits.chance()
      ? all
      : `${all.slice(0, 3)}.${all.slice(3, 6)}.${all.slice(6, 9)}-${all.slice(9)}`
  },
  dni: () => {
    const foreign = digits.chance() && digits.chance()
    const first = digits.one("0", "1", "2")
    const all = (foreign ? first : digits.of(1)) + digits.of(7)
    const letter = "TRWAGMYFPDXBNJZSQVHLCKE"[Number(all) % 23]!
    if (foreign)
      return `${"XYZ"[+first]}${digits.one("", "-")}${all.slice(1)}${digits.one("", "-")}${letter}`
    return digits.one(
      all + letter,
      `${all}-${letter}`,
      `${all.slice(0, 2)}.${all.slice(2, 5)}.${all.slice(5)}-${letter}`,
    )
  },
  nif: () => {
    if (digits.chance()) {
      const all = digits.one("1", "2", "5") + digits.of(7)
      const sum = [...all].reduce((at, digit, place) => at + +digit * (9 - place), 0)
      return digits.grouped(all + String(((sum * 10) % 11) % 10), [], [3, 3, 3])
    }
    const all = digits.of(7)
    const doubled = (digit: string) => [...String(+digit * 2)].reduce((at, one) => at + +one, 0)
    const sum = [...all].reduce(
      (at, digit, place) => at + (place % 2 === 0 ? doubled(digit) : +digit),
      0,
    )
    return `${digits.one("A", "B")}${all}${(10 - (sum % 10)) % 10}`
  },
}

const kinds = Object.keys(numbers) as ReadonlyArray<PiiKind>
const { find } = piiFinder({ kinds: piiKinds, countries: [] })

const sentencesOf = (half: string): ReadonlyArray<readonly [kind: PiiKind, sentence: string]> =>
  readFileSync(new URL(`data/numbers.${half}.tsv`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [kind, sentence] = line.split("\t")
      return [kind as PiiKind, sentence!.replaceAll("\\n", "\n")]
    })

interface Count {
  readonly kind: PiiKind
  readonly tried: number
  readonly missed: ReadonlyArray<string>
}

/** A number is found if all of it is. */
const countFound = (half: string, kind: PiiKind): Count => {
  const missed: Array<string> = []
  const own = sentencesOf(half).filter(([one]) => one === kind)
  const tries = cases(40)
  for (const [, sentence] of own) {
    const [before, after] = sentence.split("{}") as [string, string]
    for (let count = 0; count < tries; count++) {
      const number = numbers[kind]!()
      const start = before.length
      const isFound = find(before + number + after).some(
        (one) => one.kind === kind && one.start === start && one.end === start + number.length,
      )
      if (!isFound) missed.push(before + number + after)
    }
  }
  return { kind, tried: own.length * tries, missed }
}

describe("numbers with check digits", () => {
  it.each(["seen", "unseen"])(
    "are found in 95 of 100 %s sentences, and each kind in 90",
    (half) => {
      const counts = kinds.map((kind) => countFound(half, kind))
      for (const { kind, missed, tried } of counts) {
        assert.isAtMost(missed.length / tried, 0.1, `${kind}: ${missed.slice(0, 20).join("\n")}`)
      }
      const missed = counts.flatMap((count) => count.missed)
      const tried = counts.reduce((sum, count) => sum + count.tried, 0)
      assert.isAtMost(missed.length / tried, 0.05, missed.slice(0, 20).join("\n"))
    },
  )

  it("are not taken for one in 1,000 random digits of their lengths, in sentences about other things", () => {
    const sentences = [
      "Order {} is on its way.",
      "Tracking number {}",
      "Ticket {}: the app is slow",
      "id={}",
      "El pedido {} llegó roto",
    ]
    const lengths = [7, 8, 9, 10, 11, 12, 14, 18, 20, 22]
    const tries = cases(2000)
    for (const length of lengths) {
      let wrong = 0
      for (let count = 0; count < tries; count++) {
        const text = digits.one(...sentences).replace("{}", digits.of(length))
        if (find(text).some(({ kind }) => kinds.includes(kind))) wrong++
      }
      assert.isAtMost(wrong / tries, 0.001, `${length} digits`)
    }
  })

  it("are not found with another check digit", () => {
    for (const [kind, sentence] of sentencesOf("seen")) {
      for (let count = 0; count < 20; count++) {
        const number = numbers[kind]!()
        const last = number.at(-1)!
        const other = /\d/.test(last) ? String((Number(last) + 1 + (count % 9)) % 10) : "O"
        const wrong = sentence.replace("{}", number.slice(0, -1) + other)
        const found = find(wrong).filter((one) => one.kind === kind)
        assert.deepStrictEqual(found, [], wrong)
      }
    }
  })
})
