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
      'The auditor resumes it every five minutes without progress: an activity of its workflow keeps failing, ' +
      'for example because a provider does not answer.',
    remedy:
      `Open the workflow "${workflowId}" in Temporal's UI: its pending activities show what fails, and the ` +
      'log lines "activity failed" show why. Once the activity succeeds, the work continues and this note closes.',
  };
}

/**
 * What the service cannot finish by itself. Add a kind as an entry here: the table `attention` stores the names,
 * which are never renamed.
 */
export const ATTENTION = {
  /** The subject is the payment. */
  RETURN_REFUSED: {
    what: 'A payment that could not be accepted is still with the provider, which refused to return it.',
    why:
      'It was a second payment, too late, or too little. It does not belong to the store, and its payer does not ' +
      'have it back yet. It is in the suspense account of the ledger.',
    remedy:
      'Return the money to its payer at the provider or by bank transfer, then record that with ' +
      '"npm run cli -- attention resolve <id>".',
  },
  /** The subject is the provider account, or the store if no account serves the use. */
  NO_PROVIDER: {
    what: 'A worker has no usable provider account for some charges or payouts.',
    why:
      'The worker lacks the SECRETS_KEY of the account, its release does not know the provider, or the account of a ' +
      'subscription was removed. Recebe retries until it works.',
    remedy:
      'Give every worker the SECRETS_KEY and the release of the APIs, or add an account with "npm run cli -- accounts ' +
      'add". Then run "npm run cli -- attention resolve <id>". If the problem continues, it is listed again.',
  },
  /** The subject is the subscription. */
  CYCLE_CODE_REFUSED: {
    what: 'The bank of a store refuses the PIX code of a subscription’s cycle.',
    why:
      'The refusal is permanent: the PIX key of the account may be gone, a permission may be missing, or the bank may not ' +
      'accept the payer’s name or tax id. This does not count as a failed attempt of the payer, and the subscription stays ' +
      'active.',
    remedy:
      'The log line "code of a cycle refused" has the bank’s message, and "npm run cli -- accounts test <account>" shows ' +
      'whether the account works. Change the key with "npm run cli -- accounts rotate <account>", or add another account. ' +
      'Recebe requests the code every five minutes; this note closes once the bank issues it.',
  },
  /** The subject is the provider account. */
  CERTIFICATE_ENDS: {
    what: 'The certificate of a provider account ends within thirty days.',
    why: 'After that its provider refuses every request: no code is issued, no payment found and nothing refunded.',
    remedy:
      'Get a new certificate from the provider and install it with "npm run cli -- accounts rotate <account> ' +
      '--certificate <file> --key <file>". This note then closes by itself.',
  },
  /** The subject is the API key. */
  KEY_EXPIRES: {
    what: 'An API key that is in use expires within seven days.',
    why: 'After that every request with it is refused, and its streams of events end.',
    remedy:
      'Create another key for the program that uses this one, or move the expiry with "npm run cli -- keys limit ' +
      '<key> --expires <when>". This note closes once the key is revoked or expired, or its expiry was moved.',
  },
  /** The subject is the provider account. */
  PROVIDER_REFUSES: {
    what: 'The provider of an account refuses its credentials or its certificate.',
    why:
      'They have expired, were revoked, or lack a permission; or the account does not trust the authority of the ' +
      'provider’s own certificate. Until this is fixed, no code is issued, no payment found and nothing refunded.',
    remedy:
      '"npm run cli -- accounts test <account>" shows its answer. Replace the credentials with "npm run cli -- accounts ' +
      'rotate <account>", or ask the provider. This note closes within five minutes after that.',
  },
  /** The subject is the provider account. */
  PROVIDER_AWAY: {
    what: 'The provider of an account has not answered for half an hour.',
    why:
      'It is down, out of reach, or its answers cannot be read. Payers see no new codes. Payments made meanwhile are ' +
      'recorded once it answers.',
    remedy:
      '"npm run cli -- accounts test <account>" shows its answer to the machine on which you run it. Ask the provider how ' +
      'long the outage will last. This note closes within five minutes after the provider answers.',
  },
  /** The subject is the provider account, a slash, and the provider’s id of the payment. */
  UNKNOWN_PAYMENT: {
    what: 'A provider has a payment of a charge that Recebe has not issued.',
    why:
      'A process was killed after the bank issued the code and before it was stored, or another program issues ' +
      'charges with the same account. The store has the money, and no ledger here shows it.',
    remedy:
      'First check whether the store has or had another account here at the same bank account: if the payment is recorded ' +
      'for that account, do not refund it. Otherwise look it up at the provider by the id after the slash. Refund it ' +
      'there, or leave it with the store if its own program requested it. Then run "npm run cli -- attention resolve <id>"; ' +
      'it is not listed again.',
  },
  /** The subject is the provider account, a slash, the provider’s id of the payment, a slash, and the charge. */
  PAYMENT_NOT_FOUND: {
    what: 'A provider has reported a payment of a charge, but for 90 minutes has not found it, or finds it for another charge.',
    why:
      'It notified or listed the payment, and answers "not found" when Recebe looks it up. The charge is not PAID: ' +
      'Recebe records only payments that the provider confirms. Nothing else waits for it. Recebe looks it up every ' +
      'five minutes for a day, then every hour, and whenever the provider reports it again.',
    remedy:
      'Look the payment up in the bank’s app or statement by the id after the first slash. If the money is there, send ' +
      'that id to the bank’s support: their look-up (GET /pix/{e2eid}) must find it. Then the charge becomes PAID and ' +
      'this note closes. If the bank says that no such payment was made, run "npm run cli -- attention resolve <id>": ' +
      'Recebe then looks it up only if the provider reports it again.',
  },
  /** The subject is the provider account, a slash, and the provider’s id of the payment, or a digest of it. */
  UNREADABLE_PAYMENT: {
    what: 'A provider lists or notifies a payment, or a refund of one, in a form that this release cannot read.',
    why:
      'A field is missing or has a value that Banco Central’s document does not allow. Everything else was ' +
      'recorded. This payment or refund may be in no ledger here.',
    remedy:
      'Look it up at the provider by the payment’s id after the slash, or the refund’s id after the second slash. Report ' +
      'the form to the provider or as an issue of Recebe. Then run "npm run cli -- attention resolve <id>"; it is not ' +
      'listed again.',
  },
  /** The subject is the payout or transfer. */
  PAYOUT_MISMATCH: {
    what: 'A provider has a transfer with the id of this payout, but another amount or another key.',
    why:
      'The database was restored and the externalId used again with other content, or another program sent money ' +
      'with this id. Nothing was sent for this payout, and its amount stays reserved.',
    remedy:
      'Look the transfer up at the provider by the payout’s id without its underscore, and find out who sent it. Then run ' +
      '"npm run cli -- attention resolve <id>": within 15 minutes the payout becomes FAILED and its amount returns to the ' +
      'balance. The store may send it with another externalId.',
  },
  /** The subject is the payout or transfer. */
  PAYOUT_IN_DOUBT: {
    what: 'A provider refuses a payout that an earlier request may have ordered, and has not known it for ten minutes.',
    why:
      'The answer to the first request was lost, so the provider may have received it. It now refuses the same order, and ' +
      'its look-up finds nothing. The payout stays PENDING with its amount reserved, and Recebe retries every 15 minutes.',
    remedy:
      'Look the payout up in the bank’s statement by its id without its underscore. If it was sent, the bank must fix ' +
      'its look-up; then this note closes. If it was not sent, run "npm run cli -- attention resolve <id>": within 15 ' +
      'minutes the payout becomes FAILED and its amount returns to the balance. The store may send it with another externalId.',
  },
  /** The subject is the payout or transfer. */
  PAYOUT_REVIVED: {
    what: 'A provider has sent a payout that had FAILED here.',
    why:
      'It refused the order, or reported that it had failed, but carried it out. The store was notified that the payout ' +
      'failed, and may have sent the money again. The payout is now COMPLETE and debited from the balance, which may have ' +
      'become negative.',
    remedy:
      'Contact the store, and check whether it has sent the same money with another externalId. Ask the provider why it ' +
      'reported a failure. Then run "npm run cli -- attention resolve <id>".',
  },
  /** The subject is the payout or transfer. */
  PAYOUT_UNDONE: {
    what: 'A provider reports that it did not carry out a payout that it had reported as sent.',
    why:
      'Its list shows the payout as not carried out. The payout is COMPLETE here and debited from the balance, and the ' +
      'store was notified. The money is with the payee or at the provider account: only the provider knows. Nothing is ' +
      'credited, as a wrong credit could be paid out a second time.',
    remedy:
      'Look the payout up in the bank’s statement by its id without its underscore, and ask the bank in writing. If it ' +
      'was sent after all, do nothing: Recebe credits amounts that the bank lists as returned. Otherwise settle the ' +
      'amount with the store. Then run "npm run cli -- attention resolve <id>"; it is not noted again.',
  },
  /** The subject is the refund. */
  REFUND_REVIVED: {
    what: 'A provider has carried out a refund that had FAILED here.',
    why:
      'It refused the refund, or reported that it had failed, but carried it out. The store was notified that the refund ' +
      'failed, and may have paid its customer in another way. The refund is now COMPLETED and debited from the balance, ' +
      'which may have become negative.',
    remedy:
      'Contact the store, and check whether the payer has the money twice. Ask the provider why it reported a failure. Then ' +
      'run "npm run cli -- attention resolve <id>".',
  },
  /** The subject is the provider account, or the store if it is not known which account stores the card. */
  CARD_NOT_ERASED: {
    what: 'A provider has not erased stored cards for three days, although nothing needs them any more.',
    why:
      'A customer was deleted, a card was replaced, or a subscription has ended. The provider is away, or refuses the ' +
      'credentials; the key may lack the permission to change payment methods and customers. Recebe retries every day.',
    remedy:
      'The log line "card not erased" has the provider’s answer, and "npm run cli -- accounts test <account>" shows whether ' +
      'the account works. Change the key with "npm run cli -- accounts rotate <account>". This note closes once the cards ' +
      'are erased.',
  },
  /** The subject is the charge. */
  PAYMENT_TAKEN_TWICE: {
    what: 'A provider took more for a payment than it still held: the payer may have the money twice.',
    why:
      'The payment was refunded, and disputed at its provider for more than the rest. The difference is debited from the ' +
      'store’s available balance, which may have become negative.',
    remedy:
      'The store submits evidence of the refund before the deadline of the dispute: its date, its amount and the provider’s ' +
      'receipt. If the provider gives the money back, it is credited and this note closes. Otherwise run ' +
      '"npm run cli -- attention resolve <id>".',
  },
  /** The subject is the charge. */
  REFUND_REQUESTED: {
    what: 'A payer asks a store for a refund.',
    why: 'The store lets its customers ask for refunds in the customer portal. Nothing failed, and nothing was refunded yet.',
    remedy:
      'The store decides on the page of the payment in its dashboard: a refund or "Decline the request" closes this note. ' +
      '"npm run cli -- attention resolve <id>" declines it for the store.',
  },
  /** The subject is the dispute, a slash, and the charge. */
  EVIDENCE_NOT_SENT: {
    what: 'The evidence for a dispute could not be sent for a day, or before its deadline.',
    why: 'The provider does not answer or refuses the credentials, or Recebe has a bug. The store submitted it in time; Recebe tries until the deadline.',
    remedy:
      'Open the dispute in the provider’s own dashboard: it may still take evidence. The log line "dispute evidence not ' +
      'sent" has the provider’s answer. This note closes once it is sent. After the deadline, run ' +
      '"npm run cli -- attention resolve <id>".',
  },
  /** The subject is the provider account. */
  SENT_NOT_LISTED: {
    what: 'The provider of an account does not list the PIX sent from it.',
    why:
      'It refuses the list, for example because a scope is missing, or has not answered for two hours. Meanwhile Recebe ' +
      'neither credits returned transfers nor sees transfers made in the bank’s app.',
    remedy:
      'If another note says that the provider refuses the credentials or the certificate, resolve that one first. Otherwise ' +
      'give the application the scope that lists sent PIX (at Efí gn.pix.send.read). The log line "sent Pix not listed" has ' +
      'the bank’s message. Nothing is lost: the next successful round continues where the last one ended and closes this note.',
  },
  /** The subject is the NFS-e, a slash, and its invoice. */
  NFSE_REJECTED: {
    what: 'The tax authority has refused the DPS of an invoice, so there is no NFS-e.',
    why: 'A fact of the store, its service or the payer is wrong. "errors" of invoices/nfse/get says which one.',
    remedy:
      'The store corrects its data under "NFS-e" in its settings, or issues the DPS without the payer, and issues it again on the ' +
      'page of the invoice. This note closes once the DPS is issued again or the NFS-e is authorised.',
  },
  /** The subject is the NFS-e, a slash, and its invoice. */
  NFSE_NOT_CANCELLED: {
    what: 'The tax authority has refused to cancel an NFS-e.',
    why:
      'Its payment went back in full, its invoice became void, or somebody asked for it; but the deadline of the municipality may ' +
      'have passed. The store owes taxes for a service that was not paid.',
    remedy:
      'The store asks its municipality to cancel it, and then the transmitter reports CANCELLED, or runs "npm run cli -- attention ' +
      'resolve <id>". This note closes once the NFS-e is cancelled.',
  },
  /** The subject is the provider account, a slash, and the end-to-end id of the PIX. */
  UNKNOWN_TRANSFER: {
    what: 'A provider has sent money that Recebe did not order, or not with this content.',
    why:
      'Someone used the bank’s app, another program sends money with the same account, or the database was restored to a ' +
      'backup and has lost the payout. The money has left the account, and no store’s balance here is lower for it.',
    remedy:
      'Look it up at the provider by the id after the slash, and find out who sent it. After a restore, run "npm run cli -- ' +
      'accounts recover <account>". If the store sent it, its balance here exceeds the account’s by that amount, and the ' +
      'bank will refuse payouts of it. Then run "npm run cli -- attention resolve <id>"; it is not listed again.',
  },
  /** The subject is the store. */
  NEGATIVE_BALANCE: {
    what: 'A store owes money: its available balance is negative.',
    why:
      'More was taken than was available: a payment was disputed at the payer’s bank (and the provider may charge a fee ' +
      'for that) or refunded at the bank itself, or the bank carried out a refund or payout that had failed here. Payouts ' +
      'are refused until new available payments cover the difference.',
    remedy:
      'Ask the store who refunded the payment at its bank; the event of the refund says "initiatedBy": "BANK". After a ' +
      'dispute, the store answers it in the dashboard or at its bank. This note closes once the balance is not negative any more.',
  },
  /** The subject is the provider account, a slash, and the day in São Paulo; `/statement` follows if the provider's own books differ. */
  BANK_DIFFERENCE: {
    what: 'The payments of a day at a provider differ from the ledger.',
    why: '"reconcile" has compared every payment to the cent.',
    remedy:
      'Run "npm run cli -- reconcile --account <account> --day <day>": it names each payment. A payment missing here is ' +
      'recorded within five minutes, unless its charge is stuck. The next run without a difference closes this note.',
  },
  /** The subject is the ledger. */
  LEDGER_DRIFT: {
    what: 'The movements of the ledger do not match the payments, refunds, disputes and payouts.',
    why: '"ledger verify" has found a difference: someone changed rows by hand, or Recebe has a bug.',
    remedy:
      'Run "npm run cli -- ledger verify --full": it names the store, the account and the subject. Change no row ' +
      'before you know the cause. The next run without a difference closes this note.',
  },
  /** The subject is the store, or `service`. */
  AUDIT_LOG_BROKEN: {
    what: 'Lines of the audit log are missing or were changed.',
    why:
      'Each line has the hash of the previous line, and they do not match. The service has no right to change lines: ' +
      'someone with the rights of the database’s owner did, or the disk has lost data.',
    remedy:
      'Run "npm run cli -- audit verify --full": it names the first wrong line. Compare it with a backup. Change the ' +
      'database’s passwords before you repair anything. The next run that finds the chain intact closes this note.',
  },
  // Work that is still overdue after an hour of resumes; a payout or a returned payment after a day.
  /** The subject is the charge. */
  CHARGE_OVERDUE: overdue(
    'A charge is still open although its deadline has passed, or its card payment was never decided.',
    'charge/<subject>',
  ),
  /** The subject is the checkout. */
  CHECKOUT_OVERDUE: overdue('A checkout has expired and is still open.', 'checkout/<subject>'),
  /** The subject is the subscription. */
  SUBSCRIPTION_OVERDUE: overdue(
    'A subscription is active, but its next charge was not created.',
    'subscription/<subject>',
  ),
  /** The subject is the debit, which has the id of its charge. */
  DEBIT_OVERDUE: overdue('A debit was not ordered, or nobody knows how it ended.', 'debit/<subject>'),
  /** The subject is the refund. */
  REFUND_OVERDUE: overdue('A refund has neither completed nor failed.', 'charge/<id of its charge>'),
  /** The subject is the payment. */
  RETURN_OVERDUE: overdue(
    'The return of a payment that could not be accepted has neither completed nor failed. The payment is in suspense.',
    'charge/<id of its charge>',
  ),
  /** The subject is the payout. */
  PAYOUT_OVERDUE: overdue(
    'A payout or transfer has neither arrived nor failed. Its amount is reserved.',
    'payout/<subject>',
  ),
  /** The subject is the delivery. */
  DELIVERY_OVERDUE: overdue('A webhook is due, but no attempt was made.', 'delivery/<subject>'),
  /** The subject is the range. */
  RESEND_OVERDUE: overdue('The resend of a range of deliveries makes no progress.', 'resend/<subject>'),
  /** The subject is the workflow. */
  SETTLEMENT_OVERDUE: overdue('Payments that should be available to a store are not.', '<subject>'),
  /** The subject is the payment or dispute. */
  NOTICE_OVERDUE: overdue(
    'The sandbox bank keeps notifying a payment or dispute that is not recorded.',
    'charge/<id of its charge>',
  ),
} as const satisfies Readonly<Record<string, AttentionWords>>;

export type AttentionKind = keyof typeof ATTENTION;
