/** Promises that rules on financial services and advertising forbid, in English and Spanish. */

export const standardPromises = {
  returns: {
    en: [
      "guarant* ... return|returns|profit|profits|income|gains|yield",
      "risk free ... investment|return|profit",
      "riskfree ... investment|return|profit",
      "no risk of loss",
      "no risk of losing",
      "you can't lose",
      "you cannot lose",
      "can't go wrong",
      "double your money",
      "sure profit",
    ],
    es: [
      "garantiz* ... rendimiento|rendimientos|ganancia|ganancias|utilidad|retorno",
      "rendimiento|rendimientos|ganancia|ganancias|retorno garantizado|garantizada|garantizados|garantizadas",
      "inversion sin riesgo",
      "sin riesgo de perder|perdida",
      "no puedes|puede perder",
      "duplica|duplicar|duplicaras tu|su dinero",
    ],
  },
  approval: {
    en: [
      "guarant* ... approval|approved",
      "approval is guaranteed",
      "you will definitely|certainly be approved",
      "no credit check needed|required",
      "everyone is|gets approved",
    ],
    es: [
      "aprobacion garantizada|asegurada",
      "garantiz* ... aprobacion",
      "credito|prestamo garantizado|asegurado",
      "te|lo|la aprobaran seguro",
      "sin revisar|consultar buro",
    ],
  },
  arrival: {
    en: [
      "guarant* ... arrive|arrival|delivery|delivered",
      "will definitely|certainly arrive",
      "always arrives|arrive within|in",
      "never be|gets|get delayed",
    ],
    es: [
      "garantiz* ... llegara|llegue|llegada|entrega",
      "llegara seguro|definitivamente",
      "siempre llega en|antes",
      "nunca se retrasa|retrasara",
    ],
  },
  rate: {
    en: [
      "guarant* ... best|lowest rate|rates|price|fee|fees",
      "best rate ... guaranteed",
      "rate will never change",
      "no hidden fees ever",
    ],
    es: [
      "garantiz* ... mejor tasa|precio|tarifa|tipo",
      "mejor tasa ... garantizada",
      "la tasa nunca cambiara|cambia",
    ],
  },
  refund: {
    en: [
      "guarant* ... refund|reimbursed|reimbursement|money back",
      "will definitely|certainly refund",
    ],
    es: ["garantiz* ... reembolso|devolucion", "te|le reembolsaremos seguro"],
  },
  legal: {
    en: [
      "this is legal advice",
      "this is financial advice",
      "this is tax advice",
      "you will not|never owe taxes",
      "no taxes apply",
      "we are|we're responsible for any loss|losses",
    ],
    es: [
      "esto es asesoria legal|fiscal|financiera",
      "esto es asesoramiento legal|fiscal|financiero",
      "nunca pagaras|pagara impuestos",
      "nos hacemos responsables de cualquier perdida",
    ],
  },
} as const satisfies {
  readonly [topic: string]: { readonly [language: string]: ReadonlyArray<string> }
}

export type PromiseTopic = keyof typeof standardPromises

/** Words before a phrase that undo it: "we cannot guarantee a return". */
export const negations: ReadonlyArray<string> = [
  "not",
  "never",
  "no",
  "cannot",
  "can't",
  "don't",
  "doesn't",
  "won't",
  "isn't",
  "aren't",
  "without",
  "neither",
  "nor",
  "unable",
  "nunca",
  "sin",
  "tampoco",
  "jamas",
  "ni",
]
