/** The targets, for two cores with the load generator on the same machine. */
type Target = { readonly atLeast: number } | { readonly below: number } | { readonly atMost: number };

interface FigureFacts {
  readonly label: string;
  /** Written behind the value; `×` is a ratio to a ceiling of the same round. */
  readonly unit: '/s' | 'ms' | 's' | '×' | '';
  readonly target?: Target;
}

/** Every figure of a round, in the order of the report. */
export const FIGURES = {
  pgInsertsPerSecond: { label: 'ceiling: bare inserts, pg', unit: '/s' },
  ormInsertsPerSecond: { label: 'ceiling: bare inserts, em.insert', unit: '/s' },
  acknowledgedPerSecond: { label: 'burst: creates acknowledged', unit: '/s', target: { atLeast: 600 } },
  acknowledgedToInserts: { label: 'burst: acknowledged / em.insert', unit: '×' },
  acknowledgedP50Ms: { label: 'burst: p50 of a create', unit: 'ms' },
  acknowledgedP99Ms: { label: 'burst: p99 of a create', unit: 'ms' },
  backlog: { label: 'burst: starts left to do at its end', unit: '' },
  drainSeconds: { label: 'burst: until all are done', unit: 's' },
  lost: { label: 'burst: charges or workflows lost', unit: '', target: { atMost: 0 } },
  startsPerSecond16: { label: 'ceiling: raw starts, 16 in flight', unit: '/s' },
  startsPerSecond64: { label: 'ceiling: raw starts, 64 in flight', unit: '/s' },
  sustainedPerSecond: { label: 'sustained: creates with workflow started', unit: '/s' },
  sustainedToStarts: {
    label: 'sustained / raw starts (better of both)',
    unit: '×',
    target: { atLeast: 0.8 },
  },
  halfRateP50Ms: { label: 'half of sustained rate: p50 of a create', unit: 'ms' },
  halfRateP99Ms: { label: 'half of sustained rate: p99 of a create', unit: 'ms', target: { below: 50 } },
  completionsPerSecond: { label: 'ceiling: do-nothing workflows completed', unit: '/s' },
  chargesPerSecond: { label: 'charges: created, paid, webhook received', unit: '/s' },
  chargesToCompletions: { label: 'charges / do-nothing completions', unit: '×', target: { atLeast: 0.4 } },
  chargeP50Ms: { label: 'charges: p50 of one', unit: 'ms' },
  answered503: { label: 'charges: payments answered 503, done later', unit: '' },
  eventsUnderLoad: { label: 'charges: most history events of one', unit: '', target: { atMost: 20 } },
  paymentToWebhookP50Ms: { label: 'idle: payment to webhook, p50', unit: 'ms', target: { below: 40 } },
  paymentToWebhookP99Ms: { label: 'idle: payment to webhook, p99', unit: 'ms', target: { below: 120 } },
  eventsWhenIdle: { label: 'idle: most history events of a charge', unit: '', target: { atMost: 20 } },
  filledCharges: { label: 'size: charges in the database', unit: '' },
  fillSeconds: { label: 'size: until it was filled', unit: 's' },
  createToEmpty: { label: 'size: p50 of a create, to an empty database', unit: '×', target: { below: 1.2 } },
  payToEmpty: { label: 'size: p50 of a payment to its webhook, the same', unit: '×', target: { below: 1.2 } },
  listP50Ms: { label: 'size: p50 of a page of any list', unit: 'ms' },
  listP99Ms: { label: 'size: p99 of a page of any list', unit: 'ms', target: { below: 50 } },
  dashboardP50Ms: { label: 'size: p50 of a page of the dashboard', unit: 'ms' },
  dashboardP99Ms: { label: 'size: p99 of a page of the dashboard', unit: 'ms', target: { below: 100 } },
  dashboardKilobytes: {
    label: 'size: the largest page of the dashboard, kB',
    unit: '',
    target: { below: 100 },
  },
  readKinds: { label: 'size: kinds of GET requests of the API and the dashboard', unit: '' },
  readP99Ms: {
    label: 'size: p99 of all kinds, the fastest of three each',
    unit: 'ms',
    target: { below: 100 },
  },
  readMostMs: { label: 'size: the slowest kind', unit: 'ms' },
  requestKinds: { label: 'requests: kinds of pages and resources', unit: '' },
  requestP50CpuMs: { label: 'requests: CPU of the main thread for one, median of all kinds', unit: 'ms' },
  requestMostCpuMs: {
    label: 'requests: the same of the dearest kind',
    unit: 'ms',
    target: { below: 50 },
  },
  writeP50CpuMs: { label: 'requests: the same of POST bodies, with what follows', unit: 'ms' },
  writeMostCpuMs: { label: 'requests: of the dearest POST body', unit: 'ms', target: { below: 50 } },
  largeReadMostCpuMs: {
    label: 'requests: of the dearest list of the largest objects',
    unit: 'ms',
    target: { below: 100 },
  },
  neighbourWaiting: { label: 'neighbour: deliveries that wait at its end', unit: '' },
  aloneP50Ms: { label: 'neighbour: payment to webhook without it, p50', unit: 'ms' },
  payingP50ToAlone: { label: 'neighbour: p50 while it pays without a pause / without it', unit: '×' },
  payingP99ToAlone: { label: 'neighbour: p99 while it pays without a pause / without it', unit: '×' },
  surgeP50ToPaying: {
    label: 'neighbour: p50 while its endpoints hang / while it only pays',
    unit: '×',
    target: { below: 1.3 },
  },
  surgeP99ToPaying: {
    label: 'neighbour: p99 while its endpoints hang / while it only pays',
    unit: '×',
    target: { below: 2 },
  },
  neighbourP50Ms: { label: 'neighbour: payment to webhook beside it, p50', unit: 'ms' },
  neighbourP50ToAlone: { label: 'neighbour: p50 beside / without', unit: '×', target: { below: 1.3 } },
  neighbourP99ToAlone: { label: 'neighbour: p99 beside / without', unit: '×', target: { below: 2 } },
  keyedP50Ms: { label: 'away: keyed creates, Temporal there, p50', unit: 'ms' },
  awayP50Ms: { label: 'away: keyed creates, Temporal away, 30 cancels waiting, p50', unit: 'ms' },
  awayP99Ms: {
    label: 'away: keyed creates, Temporal away, 30 cancels waiting, p99',
    unit: 'ms',
    target: { below: 100 },
  },
  clockOneSeconds: { label: 'clock: one subscription, two years', unit: 's', target: { below: 15 } },
  clockSubscriptions: { label: 'clock: subscriptions of the next line', unit: '' },
  clockManySeconds: { label: 'clock: all of them, a year', unit: 's', target: { below: 180 } },
  clockBesidePayments: { label: 'payments beside a clock of another store', unit: '' },
  clockAloneP50Ms: { label: 'payment to webhook without that clock, p50', unit: 'ms' },
  clockBesideP50Ms: { label: 'payment to webhook beside it, p50', unit: 'ms' },
  clockBesideP50ToAlone: { label: 'beside it to without, p50', unit: '×', target: { atMost: 1.3 } },
  clockBesideP99ToAlone: { label: 'beside it to without, p99', unit: '×' },
  clockCycleMs: { label: 'a cycle of that clock meanwhile', unit: 'ms' },
  floodSentPerSecond: { label: 'flood: requests a second that were sent', unit: '/s' },
  floodAllowedPerSecond: { label: 'flood: of them, let through', unit: '/s' },
  floodAloneCreateP50Ms: { label: 'flood: create of another store without it, p50', unit: 'ms' },
  floodAlonePayP50Ms: { label: 'flood: payment to webhook without it, p50', unit: 'ms' },
  floodSenderCreateP50ToAlone: { label: 'flood, the sender alone: create, p50 beside / without', unit: '×' },
  floodSenderCreateP99ToAlone: { label: 'flood, the sender alone: create, p99 beside / without', unit: '×' },
  floodSenderPayP50ToAlone: { label: 'flood, the sender alone: payment, p50 beside / without', unit: '×' },
  floodSenderPayP99ToAlone: { label: 'flood, the sender alone: payment, p99 beside / without', unit: '×' },
  floodOneKeyCreateP50ToAlone: {
    label: 'flood, one key: create, p50 beside / without',
    unit: '×',
    target: { below: 1.3 },
  },
  floodOneKeyCreateP99ToAlone: {
    label: 'flood, one key: create, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  floodOneKeyPayP50ToAlone: {
    label: 'flood, one key: payment, p50 beside / without',
    unit: '×',
    target: { below: 1.3 },
  },
  floodOneKeyPayP99ToAlone: {
    label: 'flood, one key: payment, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  floodManyKeysCreateP50ToAlone: {
    label: 'flood, 25 keys: create, p50 beside / without',
    unit: '×',
    target: { below: 1.3 },
  },
  floodManyKeysCreateP99ToAlone: {
    label: 'flood, 25 keys: create, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  floodManyKeysPayP50ToAlone: {
    label: 'flood, 25 keys: payment, p50 beside / without',
    unit: '×',
    target: { below: 1.3 },
  },
  floodManyKeysPayP99ToAlone: {
    label: 'flood, 25 keys: payment, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  floodAnswered503: {
    label: 'flood: payments of another store answered 503',
    unit: '',
    target: { atMost: 0 },
  },
  strangersAloneCreateP50Ms: { label: 'strangers: create of a store without them, p50', unit: 'ms' },
  strangersAlonePageP50Ms: { label: 'strangers: page of a payer without them, p50', unit: 'ms' },
  strangersPagesServedPerSecond: { label: 'strangers, pages: served', unit: '/s' },
  strangersPagesCreateP50ToAlone: {
    label: 'strangers, pages: create, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  strangersPagesCreateP99ToAlone: {
    label: 'strangers, pages: create, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  strangersPagesPayP50ToAlone: {
    label: 'strangers, pages: payment, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  strangersPagesPayP99ToAlone: {
    label: 'strangers, pages: payment, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  strangersPagesPageP50Ms: { label: 'strangers, pages: page of a payer beside them, p50', unit: 'ms' },
  strangersPagesPageP99Ms: { label: 'strangers, pages: page of a payer beside them, p99', unit: 'ms' },
  strangersWrongFormsServedPerSecond: { label: 'strangers, wrong forms: served', unit: '/s' },
  strangersWrongFormsCreateP50ToAlone: {
    label: 'strangers, wrong forms: create, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  strangersWrongFormsCreateP99ToAlone: {
    label: 'strangers, wrong forms: create, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  strangersWrongFormsPayP50ToAlone: {
    label: 'strangers, wrong forms: payment, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  strangersWrongFormsPayP99ToAlone: {
    label: 'strangers, wrong forms: payment, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  strangersWrongFormsPageP50Ms: {
    label: 'strangers, wrong forms: page of a payer beside them, p50',
    unit: 'ms',
  },
  strangersWrongFormsPageP99Ms: {
    label: 'strangers, wrong forms: page of a payer beside them, p99',
    unit: 'ms',
  },
  strangersSameFormsServedPerSecond: { label: 'strangers, forms sent again: served', unit: '/s' },
  strangersSameFormsCreateP50ToAlone: {
    label: 'strangers, forms sent again: create, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  strangersSameFormsCreateP99ToAlone: {
    label: 'strangers, forms sent again: create, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  strangersSameFormsPayP50ToAlone: {
    label: 'strangers, forms sent again: payment, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  strangersSameFormsPayP99ToAlone: {
    label: 'strangers, forms sent again: payment, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  strangersSameFormsPageP50Ms: {
    label: 'strangers, forms sent again: page of a payer beside them, p50',
    unit: 'ms',
  },
  strangersSameFormsPageP99Ms: {
    label: 'strangers, forms sent again: page of a payer beside them, p99',
    unit: 'ms',
  },
  strangersUnknownPagesServedPerSecond: { label: 'strangers, pages that do not exist: served', unit: '/s' },
  strangersUnknownPagesCreateP50ToAlone: {
    label: 'strangers, pages that do not exist: create, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  strangersUnknownPagesPayP50ToAlone: {
    label: 'strangers, pages that do not exist: payment, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  strangersUnknownPagesPayP99ToAlone: {
    label: 'strangers, pages that do not exist: payment, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  strangersMadeUpKeysServedPerSecond: { label: 'strangers, made-up keys: served', unit: '/s' },
  strangersMadeUpKeysCreateP50ToAlone: {
    label: 'strangers, made-up keys: create, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  strangersMadeUpKeysPayP50ToAlone: {
    label: 'strangers, made-up keys: payment, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  strangersMadeUpKeysPayP99ToAlone: {
    label: 'strangers, made-up keys: payment, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  expensiveAloneCreateP50Ms: { label: 'expensive: create of another store without them, p50', unit: 'ms' },
  expensiveListsCreateP50ToAlone: {
    label: 'expensive, lists of large objects: create, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  expensiveListsCreateP99ToAlone: {
    label: 'expensive, lists of large objects: create, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  expensiveListsPayP50ToAlone: {
    label: 'expensive, lists of large objects: payment, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  expensiveListsPayP99ToAlone: {
    label: 'expensive, lists of large objects: payment, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  expensivePreviewsCreateP50ToAlone: {
    label: 'expensive, previews of a clock: create, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  expensivePreviewsCreateP99ToAlone: {
    label: 'expensive, previews of a clock: create, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  expensivePreviewsPayP50ToAlone: {
    label: 'expensive, previews of a clock: payment, p50 beside / without',
    unit: '×',
    target: { atMost: 1.3 },
  },
  expensivePreviewsPayP99ToAlone: {
    label: 'expensive, previews of a clock: payment, p99 beside / without',
    unit: '×',
    target: { below: 2 },
  },
  checkoutsPerSecond: { label: 'checkouts: created', unit: '/s' },
  checkoutP99Ms: { label: 'checkouts: p99 of a create', unit: 'ms' },
  cardCompletionsPerSecond: { label: 'ceiling: do-nothing workflows completed', unit: '/s' },
  cardCheckoutsPerSecond: { label: 'checkouts: created, paid by card, webhook', unit: '/s' },
  cardCheckoutsToCompletions: {
    label: 'checkouts / do-nothing completions',
    unit: '×',
    target: { atLeast: 0.25 },
  },
  cardCheckoutP50Ms: { label: 'checkouts: p50 of one', unit: 'ms' },
  cardAnswered503: { label: 'checkouts: payments answered 503, done later', unit: '' },
  cycleCompletionsPerSecond: { label: 'ceiling: do-nothing workflows completed', unit: '/s' },
  cyclesPerSecond: { label: 'subscriptions: cycles charged, webhook delivered', unit: '/s' },
  cyclesToCompletions: {
    label: 'subscriptions / do-nothing completions',
    unit: '×',
    target: { atLeast: 0.3 },
  },
  chargesBesideCycles: {
    label: 'subscriptions: charges more or fewer than cycles',
    unit: '',
    target: { atMost: 0 },
  },
  bytesPerCycle: { label: 'subscriptions: bytes in Postgres per cycle', unit: '' },
  cardCyclesOnClockPerSecond: { label: 'debits: card cycles on a clock beside them', unit: '/s' },
  debitedCyclesPerSecond: { label: 'debits: cycles debited by PIX', unit: '/s' },
  debitedToCardCycles: { label: 'debits / card cycles', unit: '×', target: { atLeast: 0.9 } },
  pageP50Ms: { label: 'hosted page at 100/s: p50', unit: 'ms' },
  pageP99Ms: { label: 'hosted page at 100/s: p99', unit: 'ms', target: { below: 30 } },
  paidCompletionsPerSecond: { label: 'ceiling: do-nothing workflows completed', unit: '/s' },
  paidPerSecond: { label: 'ledger: PIX charges created and paid', unit: '/s' },
  paidToCompletions: { label: 'ledger: paid / do-nothing completions', unit: '×' },
  paidP50Ms: { label: 'ledger: p50 of one', unit: 'ms' },
  paidAnswered503: { label: 'ledger: payments answered 503, done later', unit: '' },
  ledgerDiscrepancies: { label: 'ledger: discrepancies that verify finds', unit: '', target: { atMost: 0 } },
  balanceP50Ms: { label: 'store/get with a million entries: p50', unit: 'ms' },
  balanceP99Ms: { label: 'store/get with a million entries: p99', unit: 'ms', target: { below: 20 } },
} as const satisfies Record<string, FigureFacts>;

export type FigureName = keyof typeof FIGURES;
export type Figures = Partial<Record<FigureName, number>>;

export const FIGURE_NAMES = Object.keys(FIGURES) as FigureName[];

/** A figure. The table above keeps the exact type of each one. */
export function factsOf(name: FigureName): FigureFacts {
  return FIGURES[name];
}

export function isMet(target: Target, value: number): boolean {
  if ('atLeast' in target) return value >= target.atLeast;
  return 'below' in target ? value < target.below : value <= target.atMost;
}

export function targetText(target: Target): string {
  if ('atLeast' in target) return `≥ ${target.atLeast}`;
  return 'below' in target ? `< ${target.below}` : `≤ ${target.atMost}`;
}
