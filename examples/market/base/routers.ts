/**
 * Routers of exchanges on Base, and the events of their pools whose first topic after their own is the router.
 *
 * Uniswap: https://docs.uniswap.org/contracts/v3/reference/deployments/base-deployments (SwapRouter02) and
 * https://docs.uniswap.org/contracts/v2/reference/smart-contracts/v2-deployments. Sushi:
 * https://github.com/sushiswap/v2-core/tree/master/deployments/base. Aerodrome: https://github.com/aerodrome-finance/contracts
 * and https://github.com/aerodrome-finance/slipstream. PancakeSwap: `SMART_ROUTER_ADDRESSES` of
 * https://www.npmjs.com/package/@pancakeswap/smart-router and https://developer.pancakeswap.finance/contracts/v2/addresses. The
 * others are on https://basescan.org under their addresses.
 */

/** The Keccak-256 hashes of the events' signatures. */
const SWAP_V3 = "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67"
const SWAP_PANCAKE_V3 = "0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83"
const SWAP_V2 = "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822"
const SWAP_AERODROME = "0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b"

interface Router {
  readonly address: string
  readonly swaps: ReadonlyArray<string>
}

export const routers: { readonly [name: string]: Router } = {
  uniswap_v3: { address: "0x2626664c2603336E57B271c5C0b26F421741e481", swaps: [SWAP_V3] },
  uniswap_v2: { address: "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24", swaps: [SWAP_V2] },
  sushi_v2: { address: "0x6BDED42c6DA8FBf0d2bA55B2fa120C5e0c8D7891", swaps: [SWAP_V2] },
  aerodrome: { address: "0xcF77a3Ba9A5CA399B7c97c74d54e5b1Beb874E43", swaps: [SWAP_AERODROME] },
  aerodrome_slipstream: {
    address: "0xBE6D8f0d05cC4be24d5167a3eF062215bE6D18a5",
    swaps: [SWAP_V3],
  },
  pancakeswap_v3: {
    address: "0x678Aa4bF4E210cf2166753e054d5b7c31cc7fa86",
    swaps: [SWAP_PANCAKE_V3],
  },
  pancakeswap_v2: { address: "0x8cFe327CEc66d1C090Dd72bd0FF11d690C33a2Eb", swaps: [SWAP_V2] },
  sushi_v3: { address: "0xFB7eF66a7e61224DD6FcD0D7d9C3be5C8B049b9f", swaps: [SWAP_V3] },
  alienbase: { address: "0x8c1A3cF8f83074169FE5D7aD50B978e1cD6b37c7", swaps: [SWAP_V2] },
  swapbased: { address: "0xaaa3b1F1bd7BCc97fD1917c18ADE665C5D31F066", swaps: [SWAP_V2] },
  baseswap: { address: "0x327Df1E6de05895d2ab08513aaDD9313Fe505d86", swaps: [SWAP_V2] },
}

/** By its name, or by its address with the events of all pools. */
export const routerOf = (named: string): Router =>
  routers[named] ?? { address: named, swaps: [SWAP_V3, SWAP_PANCAKE_V3, SWAP_V2, SWAP_AERODROME] }

/** What tokens are traded for, so that it is not what moves: WETH, USDC. */
export const quotes: ReadonlySet<string> = new Set([
  "0x4200000000000000000000000000000000000006",
  "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
])
