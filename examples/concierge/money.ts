/** Amounts of money as people read them, and as the database keeps them. */
import { ConciergeFailed } from "./ConciergeFailed.ts"

/** Millionths: the unit of rates. */
export const RATE_UNIT = 1_000_000

/** Cents of a sending fee: 1.5 % of the amount, at least this. */
const MIN_FEE_CENTS = 199

/** `1,250.00 USD` of 125000. */
export const money = (minor: number, currency: string): string =>
  `${(minor / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })} ${currency}`

/** Integer minor units of an amount such as 99.5. */
export const minorUnits = (amount: number): number => {
  const minor = Math.round(amount * 100)
  if (minor > 0 && Math.abs(amount * 100 - minor) < 1e-6) return minor
  throw new ConciergeFailed({
    en: "An amount has at most two decimals.",
    es: "Un monto tiene como máximo dos decimales.",
  })
}

export const feeOf = (send: number, percentOff: number): number => {
  const full = Math.max(MIN_FEE_CENTS, Math.floor((send * 15) / 1000))
  return full - Math.floor((full * percentOff) / 100)
}

/** Minor units that arrive, rounded down. Exact: amount and rate multiply as integers of any size. */
export const converted = (send: number, rate: number): number =>
  Number((BigInt(send) * BigInt(rate)) / BigInt(RATE_UNIT))
