/** The texts of a kind for an operator, who may not know Temporal. Each is one or two sentences. */
interface AttentionWords {
  readonly what: string;
  readonly why: string;
  /** The steps to take; a command is written as it is typed. */
  readonly remedy: string;
}

function overdue(what: string, workflowId: string): AttentionWords {
  return {
    what,
    why:
      'The auditor drives it on every five minutes, and it does not move: what its workflow asks for fails ' +
      'again and again, such as a provider that does not answer.',
    remedy:
      `Look at the workflow "${workflowId}" in Temporal's UI: its pending activities say what fails, and the ` +
      'log lines "activity failed" why. Once that works it goes on by itself, and this note is closed.',
  };
}

/**
 * What the service cannot finish by itself. Add a kind as an entry here: the table `attention` stores the names,
 * which are never renamed.
 */
export const ATTENTION = {
  /** The subject is the payment. */
  RETURN_REFUSED: {
    what: 'A payment that could not be accepted is still with the provider, which refused to send it back.',
    why:
      'It was a second payment, too late, or too little. The store must not have it, and its payer does not ' +
      'have it yet: it is in the suspense account of the ledger.',
    remedy:
      'Return the money to its payer at the provider or by bank transfer, then write that down with ' +
      '"npm run cli -- attention resolve <id>".',
  },
  /** The subject is the provider account, or the store where none serves what is to be done. */
  NO_PROVIDER: {
    what: 'There are charges or payouts that a worker has no provider account for, or one that it cannot use.',
    why:
      'A worker that lacks the SECRETS_KEY of the account, or is of a release that does not know its provider, can do ' +
      'nothing with it; nor can any where the account of a subscription was removed. It is tried again until it works.',
    remedy:
      'Give every worker the SECRETS_KEY and the release that the APIs have, or add an account with "npm run cli -- ' +
      'accounts add", and resolve this with "npm run cli -- attention resolve <id>". It is listed anew should it go on.',
  },
  /** The subject is the subscription. */
  CYCLE_CODE_REFUSED: {
    what: 'The bank of a store refuses the PIX code of a subscription’s cycle.',
    why:
      'It says that it will not change its mind: the PIX key of the account may be gone, a permission may be missing, or the ' +
      'payer’s name or tax id may not be one that it takes. The payer has missed nothing: no attempt is counted as failed, ' +
      'and the subscription stays active.',
    remedy:
      'The log line "code of a cycle refused" has the bank’s words, and "npm run cli -- accounts test <account>" says whether ' +
      'the account works. Change the key with "npm run cli -- accounts rotate <account>", or add another account. The code is ' +
      'asked for every five minutes; this note is closed once the bank issues it.',
  },
  /** The subject is the provider account. */
  CERTIFICATE_ENDS: {
    what: 'The certificate of a provider account ends within thirty days.',
    why: 'From then on its provider answers nothing: no code is issued, no payment found and nothing sent back.',
    remedy:
      'Get a new one from the provider, and give it to the account with "npm run cli -- accounts rotate <account> ' +
      '--certificate <file> --key <file>". This note is then closed by itself.',
  },
  /** The subject is the API key. */
  KEY_EXPIRES: {
    what: 'An API key that is in use expires within seven days.',
    why: 'From that instant on every request with it is refused, and its streams of events end.',
    remedy:
      'Create another key and give it to the program that uses this one, or move the expiry with "npm run cli -- keys limit ' +
      '<key> --expires <when>". This note is closed once the key is revoked, moved or expired.',
  },
  /** The subject is the provider account. */
  PROVIDER_REFUSES: {
    what: 'The provider of an account does not take its credentials or its certificate.',
    why:
      'They have ended, were revoked, or lack a permission; or the provider’s own certificate is signed by somebody that ' +
      'the account does not trust. Codes are not issued, payments not found and nothing is sent back until that is mended.',
    remedy:
      '"npm run cli -- accounts test <account>" says what it answers. Give the account what is good again with "npm run ' +
      'cli -- accounts rotate <account>", or ask the provider. Within five minutes this note is closed by itself.',
  },
  /** The subject is the provider account. */
  PROVIDER_AWAY: {
    what: 'The provider of an account has not answered for half an hour.',
    why:
      'It is down, out of reach from here, or answers what is not understood. Payers are not shown new codes; payments that ' +
      'come meanwhile are taken in once it answers.',
    remedy:
      '"npm run cli -- accounts test <account>" says what it answers, from where it runs. Ask the provider how long it takes. ' +
      'Within five minutes after it answers this note is closed by itself.',
  },
  /** The subject is the provider account, a stroke, and what its provider knows the payment by. */
  UNKNOWN_PAYMENT: {
    what: 'A provider has a payment of a charge that this service has not issued.',
    why:
      'A process was killed after the code was made at the bank and before it was stored, or another program issues ' +
      'charges with the same account. The money is with the store and in no ledger here.',
    remedy:
      'See first whether the store has, or had, another account here at the same bank account: if the payment is in the ' +
      'books of that one, do not send it back. Otherwise look it up at the provider by the id after the stroke. Send it back ' +
      'there, or leave it with the store if its own program has asked for it. Then "npm run cli -- attention resolve <id>"; it is not listed again.',
  },
  /** The subject is the provider account, a stroke, what its provider knows the payment by, a stroke, and the charge. */
  PAYMENT_NOT_FOUND: {
    what: 'A provider has named a payment of a charge, and for 90 minutes does not know it, or knows it for another charge.',
    why:
      'It notified or listed the payment, and answers "not found" when the payment is looked up. The charge is not PAID: ' +
      'only a payment that the provider confirms is recorded. Nothing else waits for it. Recebe looks it up again every ' +
      'five minutes for a day, then every hour, and whenever the provider names it.',
    remedy:
      'Look the payment up in the bank’s app or statement by the id after the first stroke. If the money is there, send ' +
      'that id to the bank’s support: their look-up (GET /pix/{e2eid}) must find it. This note is then closed by itself ' +
      'and the charge becomes PAID. If the bank says that no such payment was made, "npm run cli -- attention resolve ' +
      '<id>": it is then looked up only if the provider names it again.',
  },
  /** The subject is the provider account, a stroke, and what its provider knows the payment by, or a digest of it. */
  UNREADABLE_PAYMENT: {
    what: 'A provider lists or notifies a payment, or a refund of one, in a form that this release cannot read.',
    why:
      'A field is missing or has a value that Banco Central’s document does not allow. Everything else was ' +
      'recorded. This payment or refund may be in no ledger here.',
    remedy:
      'Look it up at the provider by the payment’s id after the stroke, and by the refund’s after the next one. Ask the provider, or whoever makes this software, ' +
      'to mend it. Then "npm run cli -- attention resolve <id>"; it is not listed again.',
  },
  /** The subject is the payout or transfer. */
  PAYOUT_MISMATCH: {
    what: 'A provider has a transfer of another amount or to another key under the id of this payout.',
    why:
      'The database was restored and its externalId used again with another content, or another program has sent money ' +
      'with this id. Nothing was sent for this payout, and its amount stays set aside.',
    remedy:
      'Look the transfer up at the provider by the payout’s id without its underscore, and find out who sent it. Then "npm ' +
      'run cli -- attention resolve <id>": within 15 minutes the payout is FAILED and its amount is the store’s again, which ' +
      'may send it with another externalId.',
  },
  /** The subject is the payout or transfer. */
  PAYOUT_IN_DOUBT: {
    what: 'A provider refuses a payout that an earlier request may have ordered, and has not known it for ten minutes.',
    why:
      'The answer to the first request was lost, so it may have reached the provider. It refuses the same order now, and its ' +
      'look-up finds nothing. The payout stays PENDING with its amount set aside, and the provider is asked every 15 minutes.',
    remedy:
      'Look the payout up in the bank’s statement by its id without its underscore. If it was sent, the bank has to mend ' +
      'its look-up, and this closes by itself. If it was not, "npm run cli -- attention resolve <id>": within 15 minutes the ' +
      'payout is FAILED and its amount is the store’s again, which may send it with another externalId.',
  },
  /** The subject is the payout or transfer. */
  PAYOUT_REVIVED: {
    what: 'A provider has sent a payout that had FAILED here.',
    why:
      'It refused the order, or said that it could not carry it out, and carried it out all the same. The store was told ' +
      'that the payout failed, and may have sent the money again. The payout is COMPLETE now and is debited from the balance, ' +
      'which may have become negative.',
    remedy:
      'Tell the store, and look whether it has sent the same money with another externalId. Ask the provider why it said no. ' +
      'Then "npm run cli -- attention resolve <id>".',
  },
  /** The subject is the payout or transfer. */
  PAYOUT_UNDONE: {
    what: 'A provider says that it did not carry out a payout that it had reported as sent.',
    why:
      'Its list shows the payout as not carried out. The payout is COMPLETE here and debited from the balance, and the ' +
      'store was told so. The money is with the payee or at the provider account: only the provider knows. Nothing is ' +
      'credited, as a wrong credit could be paid out a second time.',
    remedy:
      'Look the payout up in the bank’s statement by its id without its underscore, and ask the bank in writing. If it ' +
      'was sent after all, nothing has to be done, and what the bank lists as returned is credited by itself. Otherwise ' +
      'settle the amount with the store. Then "npm run cli -- attention resolve <id>"; it is not noted again.',
  },
  /** The subject is the refund. */
  REFUND_REVIVED: {
    what: 'A provider has made a refund that had FAILED here.',
    why:
      'It refused the refund, or said that it could not carry it out, and carried it out all the same. The store was told ' +
      'that the refund failed, and may have paid its customer in another way. The refund is COMPLETED now and is debited ' +
      'from the balance, which may have become negative.',
    remedy:
      'Tell the store, and look whether the payer has the money twice. Ask the provider why it said no. Then "npm run cli -- ' +
      'attention resolve <id>".',
  },
  /** The subject is the provider account. */
  SENT_NOT_LISTED: {
    what: 'The provider of an account does not list what was sent from it.',
    why:
      'It refuses the list, as without its scope, or has not answered for two hours. What payees send back is not credited ' +
      'meanwhile, and what was sent in the bank’s app is not seen.',
    remedy:
      'If it does not take the credentials or the certificate of the account either, there is a note of that: deal with it ' +
      'first. Otherwise give the application the scope that lists sent PIX (at Efí gn.pix.send.read). The log line "sent Pix not ' +
      'listed" has the bank’s words. Nothing is lost: the next round goes on where the last one was, and closes this note.',
  },
  /** The subject is the provider account, a stroke, and what Bacen’s system knows the PIX by. */
  UNKNOWN_TRANSFER: {
    what: 'A provider has sent money that this service did not order, or not with this content.',
    why:
      'Someone used the bank’s app, another program sends money with the same account, or the database was restored to a ' +
      'backup and has lost the payout. The money has left the account, and no store’s balance here is lower for it.',
    remedy:
      'Look it up at the provider by the id after the stroke, and find out who sent it. After a restore, run "npm run cli -- ' +
      'accounts recover <account>". If it was the store, its balance here is more than the account has by that amount, and ' +
      'payouts of it will be refused by the bank. Then "npm run cli -- attention resolve <id>"; it is not listed again.',
  },
  /** The subject is the store. */
  NEGATIVE_BALANCE: {
    what: 'A store owes money: its available balance is negative.',
    why:
      'A payment was refunded at the bank itself, the payer’s bank took it back (MED), or a refund or payout that had ' +
      'failed here was carried out there, and the store had already sent the money elsewhere. Payouts are refused until ' +
      'its payments cover the difference.',
    remedy:
      'Ask the store who refunded the payment at its bank; the event of the refund says "initiatedBy": "BANK". After a ' +
      'dispute, the store answers it at its bank. The note is closed by itself once the balance is not negative any more.',
  },
  /** The subject is the provider account, a stroke, and the day in São Paulo. */
  BANK_DIFFERENCE: {
    what: 'What a provider says was paid on a day is not what the ledger says.',
    why: '"reconcile" has compared them payment by payment, and to the cent.',
    remedy:
      'Run "npm run cli -- reconcile --account <account> --day <day>": it names each payment. One that is missing here ' +
      'is taken in within five minutes, unless its charge does not move. The next run without a difference closes this note.',
  },
  /** The subject is the ledger. */
  LEDGER_DRIFT: {
    what: 'The movements of the ledger, and what they were written for, do not add up.',
    why: '"ledger verify" has found a cent that is not where it belongs: rows were changed by hand, or there is a fault.',
    remedy:
      'Run "npm run cli -- ledger verify --full": it names the store, the account and what it is about. Change no ' +
      'row before you know why. The next run that finds every cent in its place closes this note.',
  },
  /** The subject is the store, or `service`. */
  AUDIT_LOG_BROKEN: {
    what: 'Lines of the audit log are missing or were changed.',
    why:
      'Each line has the hash of the line before it, and they do not match. The service cannot do this: someone with the ' +
      'rights of the database’s owner did, or the disk has lost data.',
    remedy:
      'Run "npm run cli -- audit verify --full": it names the first wrong line. Compare it with a backup. Change the ' +
      'database’s passwords before you mend anything. The next run that finds the chain whole closes this note.',
  },
  // Work that is still overdue after an hour of resumes; a payout or a returned payment after a day.
  /** The subject is the charge. */
  CHARGE_OVERDUE: overdue(
    'A charge is still open although its deadline has passed, or was never decided.',
    'charge/<subject>',
  ),
  /** The subject is the checkout. */
  CHECKOUT_OVERDUE: overdue('A checkout has expired and is still open.', 'checkout/<subject>'),
  /** The subject is the subscription. */
  SUBSCRIPTION_OVERDUE: overdue(
    'A subscription is active, and its next charge was not begun.',
    'subscription/<subject>',
  ),
  /** The subject is the refund. */
  REFUND_OVERDUE: overdue('A refund has neither worked nor been refused.', 'charge/<id of its charge>'),
  /** The subject is the payment. */
  RETURN_OVERDUE: overdue(
    'A payment that could not be accepted is neither back with its payer nor refused by its provider. It is in suspense.',
    'charge/<id of its charge>',
  ),
  /** The subject is the payout. */
  PAYOUT_OVERDUE: overdue(
    'A payout or transfer has neither arrived nor failed. Its money is set aside.',
    'payout/<subject>',
  ),
  /** The subject is the delivery. */
  DELIVERY_OVERDUE: overdue('A webhook is due, and no attempt at it is made.', 'delivery/<subject>'),
  /** The subject is the range. */
  RESEND_OVERDUE: overdue('Deliveries that are sent again by the range do not get on.', 'resend/<subject>'),
  /** The subject is the workflow. */
  SETTLEMENT_OVERDUE: overdue(
    'Money that a store was paid should be available to it and is not.',
    '<subject>',
  ),
  /** The subject is the payment or dispute. */
  NOTICE_OVERDUE: overdue(
    'A payment or dispute at the sandbox bank is told again and again, and is not taken in.',
    'charge/<id of its charge>',
  ),
} as const satisfies Readonly<Record<string, AttentionWords>>;

export type AttentionKind = keyof typeof ATTENTION;
