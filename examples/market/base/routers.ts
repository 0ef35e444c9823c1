/**
 * Routers of exchanges on Base, and the event of their pools whose first topic after its own is the router.
 *
 * Uniswap: https://docs.uniswap.org/contracts/v3/reference/deployments/base-deployments (SwapRouter02) and
 * https://docs.uniswap.org/contracts/v2/reference/smart-contracts/v2-deployments. Sushi:
 * https://github.com/sushiswap/v2-core/tree/master/deployments/base. Aerodrome: https://github.com/aerodrome-finance/contracts.
 */

/** The Keccak-256 hashes of the events' signatures. */
const SWAP_V3 = "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67"
const SWAP_V2 = "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822"
const SWAP_AERODROME = "0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b"

export const routers: {
  readonly [name: string]: { readonly address: string; readonly swap: string }
} = {
  uniswap_v3: { address: "0x2626664c2603336E57B271c5C0b26F421741e481", swap: SWAP_V3 },
  uniswap_v2: { address: "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24", swap: SWAP_V2 },
  sushi_v2: { address: "0x6BDED42c6DA8FBf0d2bA55B2fa120C5e0c8D7891", swap: SWAP_V2 },
  aerodrome: { address: "0xcF77a3Ba9A5CA399B7c97c74d54e5b1Beb874E43", swap: SWAP_AERODROME },
}

/** What tokens are traded for, so that it is not what moves: WETH, USDC. */
export const quotes: ReadonlySet<string> = new Set([
  "0x4200000000000000000000000000000000000006",
  "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
])
