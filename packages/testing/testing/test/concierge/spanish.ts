/** The part in Spanish: rates, a transfer, a limit, and back to English. */
import { calls } from "./concierge.ts"
import { quote, inSpanish, text, to, transfer, type Scripted } from "./Scripted.ts"

export const spanish: ReadonlyArray<Scripted> = [
  {
    message: "Hablemos en español, por favor.",
    agent: "transfers",
    user: inSpanish,
    replies: [text("Claro, seguimos en español.")],
  },
  {
    message: "¿Cuál es el tipo de cambio a Colombia?",
    agent: "rates",
    user: inSpanish,
    replies: [
      ...to("rates"),
      calls("get_exchange_rate", { to_currency: "cop" }),
      text("1 USD son 4050.5 COP (2026-11-20)."),
    ],
    tools: ["get_exchange_rate"],
  },
  {
    message: "¿Y a Guatemala?",
    agent: "rates",
    user: inSpanish,
    replies: [
      calls("get_exchange_rate", { to_currency: "GTQ" }),
      text("1 USD son 7.72 GTQ (2026-11-20)."),
    ],
    tools: ["get_exchange_rate"],
  },
  {
    message: "Manda 100 dólares a Mateo.",
    agent: "transfers",
    user: inSpanish,
    replies: [
      ...to("transfers"),
      quote(100, "GTQ"),
      text(
        "Cotización Q-3: llegan 772.00 GTQ por 101.99 USD al tipo de cambio 7.72, de los cuales 1.99 USD son comisión. ¿La envío?",
      ),
    ],
    tools: ["create_quote"],
  },
  {
    message: "No, mejor a Rosa.",
    agent: "transfers",
    user: inSpanish,
    replies: [
      transfer("Q-3", "Rosa Ortega"),
      text("La cotización es en GTQ, y Rosa recibe MXN; no hay nada que cancelar."),
    ],
    tools: ["create_transfer"],
    transfers: 2,
  },
  {
    message: "Entonces a Mateo.",
    agent: "transfers",
    user: inSpanish,
    replies: [
      transfer("Q-3", "Mateo Ortega"),
      text("T-3 va en camino a Mateo Ortega. Puedes cancelarlo en 30 minutos."),
    ],
    tools: ["create_transfer"],
    asksPerson: true,
    transfers: 3,
  },
  {
    message: "¿Cuánto puedo enviar todavía?",
    agent: "credit",
    user: inSpanish,
    replies: [
      ...to("credit"),
      calls("credit_status"),
      text("Puedes enviar 2,650.00 USD más este mes."),
    ],
    tools: ["credit_status"],
  },
  {
    message: "Sube mi límite a 5000 dólares, es para una operación.",
    agent: "credit",
    user: inSpanish,
    replies: [
      calls("request_limit_increase", { monthly_limit: 5000, reason: "una operación" }),
      text("Tu solicitud L-1 está registrada; una persona decide."),
    ],
    tools: ["request_limit_increase"],
  },
  {
    message: "Gracias. Now in English, please.",
    agent: "credit",
    replies: [text("Sure, in English.")],
  },
]
