/** Rates, a quote and two transfers, with interruptions and a refused approval. */
import { calls } from "./concierge.ts"
import { inFlow, quote, text, to, transfer, type Scripted } from "./Scripted.ts"

export const sending: ReadonlyArray<Scripted> = [
  { message: "Hi there!", agent: "welcome", replies: [text("Hello Ana, how can I help?")] },
  {
    message: "What is the dollar at in Mexico?",
    agent: "rates",
    replies: [
      ...to("rates"),
      calls("get_exchange_rate", { to_currency: "mxn" }),
      text("1 USD is 17.45 MXN, as of 2026-11-20."),
    ],
    tools: ["get_exchange_rate"],
    says: "transfers to Mexico have half the fee this month",
    reviews: { context_enricher: "enrich" },
  },
  {
    message: "And for 500 dollars?",
    agent: "rates",
    replies: [
      calls("get_exchange_rate", { to_currency: "MXN", amount: 500 }),
      text("500.00 USD is 8,725.00 MXN, before fees."),
    ],
    tools: ["get_exchange_rate"],
    reviews: { context_enricher: "enrich" },
  },
  {
    message: "Any promotions?",
    agent: "rates",
    replies: [calls("list_promotions"), text("Half the fee on transfers to Mexico this month.")],
    tools: ["list_promotions"],
  },
  {
    message: "I want to send money home.",
    agent: "transfers",
    replies: [...to("transfers"), inFlow, text("How much, and to which country?")],
  },
  {
    message: "200 dollars to Mexico.",
    agent: "transfers",
    replies: [
      quote(200),
      text(
        "Quote Q-1: 3,490.00 MXN arrive for 201.50 USD at a rate of 17.45, of which 1.50 USD is the fee. To whom?",
      ),
    ],
    tools: ["create_quote"],
  },
  {
    message: "Wait, who can I send to?",
    agent: "transfers",
    replies: [calls("list_recipients"), text("Rosa Ortega and Mateo Ortega.")],
    tools: ["list_recipients"],
  },
  {
    message: "Before that: what is my limit?",
    agent: "credit",
    replies: [
      ...to("credit"),
      calls("credit_status"),
      text("You can send 3,000.00 USD more this month."),
    ],
    tools: ["credit_status"],
  },
  {
    message: "Fine. Send quote Q-1 to Rosa.",
    agent: "transfers",
    replies: [
      ...to("transfers"),
      transfer("Q-1", "Rosa Ortega"),
      text("Nothing was sent, so there is nothing to cancel."),
    ],
    tools: ["create_transfer"],
    approves: false,
    asksPerson: true,
    transfers: 0,
  },
  {
    message: "Sorry, I tapped the wrong button. Send it.",
    agent: "transfers",
    replies: [
      transfer("Q-1", "Rosa Ortega"),
      text("T-1 is on its way to Rosa Ortega. You can cancel it within 30 minutes."),
    ],
    tools: ["create_transfer"],
    asksPerson: true,
    transfers: 1,
  },
  {
    message: "Send it!!",
    agent: "transfers",
    replies: [
      transfer("Q-1", "Rosa Ortega"),
      text("It was sent once already, as T-1; you can still cancel it."),
    ],
    tools: ["create_transfer"],
    asksPerson: true,
    transfers: 1,
  },
  {
    message: "Where is it now?",
    agent: "transfers",
    replies: [calls("transfer_status", { transfer: "t-1" }), text("T-1 is on its way.")],
    tools: ["transfer_status"],
  },
  {
    message: "Save my brother Juan Ortega, Mexico, CLABE 0121 8000 7654 3210 91.",
    agent: "recipients",
    replies: [
      ...to("recipients"),
      calls("add_recipient", {
        name: "Juan Ortega",
        country: "mx",
        currency: "MXN",
        account: "0121 8000 7654 3210 91",
      }),
      text("Juan Ortega is saved as R-4."),
    ],
    tools: ["add_recipient"],
  },
  {
    message: "Who do I have now?",
    agent: "recipients",
    replies: [calls("list_recipients"), text("Rosa, Mateo and Juan.")],
    tools: ["list_recipients"],
  },
  {
    message: "Send him 50 dollars.",
    agent: "transfers",
    replies: [
      ...to("transfers"),
      quote(50),
      text(
        "Quote Q-2: 872.50 MXN arrive for 51.00 USD at a rate of 17.45, of which 1.00 USD is the fee. Shall I send it?",
      ),
    ],
    tools: ["create_quote"],
  },
  {
    message: "Yes, to Juan.",
    agent: "transfers",
    replies: [
      transfer("Q-2", "R-4"),
      text("T-2 is on its way to Juan Ortega. You can cancel it within 30 minutes."),
    ],
    tools: ["create_transfer"],
    asksPerson: true,
    transfers: 2,
  },
]
