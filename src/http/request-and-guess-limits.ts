/**
 * Limits for requests without a key: points per number of seconds. Many people may share an address, such as
 * an office or the gateway of a mobile network, so the limits are far above their normal use.
 */
export const LIMITS = {
  /** Pages, and payment status requests, which an open page sends every two seconds. */
  pagesOfAddress: { points: 3_000, seconds: 60 },
  /** Pages of payers that do not exist. Each costs a query before it is refused. */
  unknownPagesOfAddress: { points: 300, seconds: 60 },
  /** API keys that are missing, malformed, unknown or revoked. */
  wrongKeysOfAddress: { points: 60, seconds: 60 },
  /** Sessions and one-time links of the dashboard that do not exist. A browser sends an ended session a few times. */
  strangersOfAddress: { points: 300, seconds: 60 },
  /** Coupon codes that a checkout does not have. */
  couponGuessesOfAddress: { points: 20, seconds: 60 * 60 },
  /** A link has many payers. Also limits guesses that come from many addresses. */
  couponGuessesOfCheckout: { points: 200, seconds: 60 * 60 },
  /** What an address does first with an object that many share counts towards the object's reserve. */
  firstsOfAddress: { points: 3, seconds: 60 },
  chargesOfAddress: { points: 30, seconds: 60 },
  chargesOfCheckout: { points: 30, seconds: 10 * 60 },
  chargesOfLink: { points: 300, seconds: 60 },
  /** Times that a payment's provider is asked because its payer is back from their bank. */
  bankReturnsOfPayment: { points: 10, seconds: 5 * 60 },
  /** Downloads of one file of a payment, which this service passes on from the merchant's server: up to 2 GiB each. */
  downloadsOfFile: { points: 10, seconds: 60 * 60 },
  /** Cards that are exchanged for tokens with a public key. Everybody may know the key. */
  cardTokensOfAddress: { points: 60, seconds: 60 },
  cardTokensOfKey: { points: 1_200, seconds: 60 },
  /** Wrong passwords and codes. People who share an address with an attacker are blocked for minutes only. */
  wrongPasswordsOfAddress: { points: 30, seconds: 15 * 60 },
  wrongPasswordsOfAccount: { points: 10, seconds: 15 * 60 },
  /** Wrong passwords of somebody with an invitation, by its store and the account that it is for: only who has the link can reach this limit. */
  wrongPasswordsOfInvitee: { points: 10, seconds: 15 * 60 },
  /** The same of all invitations of a store for addresses that nobody has proven: it can hand itself a link for any address. */
  wrongPasswordsOfInviter: { points: 30, seconds: 15 * 60 },
  /** Right ones, because each keeps a core busy too. Browsers that have signed in before have a limit of their own. */
  rightPasswordsOfAddress: { points: 100, seconds: 15 * 60 },
  /** Wrong passwords and codes from a browser that has signed in to the account before: only its cookie can reach this limit. */
  wrongGuessesOfDevice: { points: 10, seconds: 15 * 60 },
  /** Sign-ins with the right password from such browsers: they skip the line in which all other comparisons wait. */
  signInsOfUserByDevice: { points: 20, seconds: 15 * 60 },
  /** Wrong codes of the second factor at sign-in: only people who have the password can reach this limit. */
  wrongCodesOfUser: { points: 10, seconds: 15 * 60 },
  /** Three of a million codes are right at any time, so someone with a stolen password has a chance of 1 in 11,000 a day. */
  wrongCodesOfUserInDay: { points: 30, seconds: 24 * 60 * 60 },
  /** The same for each browser that has signed in to the account before: its cookie may be stolen as well. */
  wrongCodesOfDeviceInDay: { points: 30, seconds: 24 * 60 * 60 },
  /** The same for codes that signed-in people must give again. */
  wrongStepUpCodesOfUserInDay: { points: 30, seconds: 24 * 60 * 60 },
  /** Notices to a person whose password somebody else seems to have. */
  noticedCodeLocksOfUserInDay: { points: 1, seconds: 24 * 60 * 60 },
  /** Audit log lines about a lock: one per lock of an account. */
  notedLocksOfAccount: { points: 1, seconds: 15 * 60 },
  /** Repeated checks of a signed-in person: only their own sessions can reach these limits. */
  wrongStepUpsOfSession: { points: 10, seconds: 15 * 60 },
  /**
   * Higher than the limit of one session, so that a stolen session does not lock its owner out of the others.
   */
  wrongStepUpsOfUser: { points: 30, seconds: 15 * 60 },
  /** Right passwords that are given again, because each keeps a core busy. Someone who invites members or approves payouts needs one for each. */
  rightStepUpsOfDevice: { points: 100, seconds: 15 * 60 },
  /** The same from any other browser of the person, or from one that has used up its own. */
  rightStepUpsOfUser: { points: 100, seconds: 15 * 60 },
  /** Codes for the customer portal that one address requests, and codes that it enters without having requested one. */
  portalCodesOfAddress: { points: 60, seconds: 15 * 60 },
  /** Codes for one e-mail address that one client address requests with one link: mails, and five guesses each. */
  portalCodesOfVisitor: { points: 5, seconds: 15 * 60 },
  portalCodesOfVisitorInDay: { points: 20, seconds: 24 * 60 * 60 },
  /** The same with one link from anywhere. A new link from the store has an allowance of its own. */
  portalCodesOfLinkInDay: { points: 60, seconds: 24 * 60 * 60 },
  /** Codes for a browser that has proven the e-mail address before: no stranger can use them up. */
  portalCodesOfBrowser: { points: 5, seconds: 15 * 60 },
  portalCodesOfBrowserInDay: { points: 20, seconds: 24 * 60 * 60 },
  /** New addresses that one session of a customer wants to prove. A stolen session uses up its own allowance only. */
  portalEmailsOfSession: { points: 3, seconds: 15 * 60 },
  portalEmailsOfCustomerInDay: { points: 20, seconds: 24 * 60 * 60 },
  /** Files with all data of a customer: one of ten thousand payments takes a second of a core. */
  dataFilesOfCustomer: { points: 10, seconds: 60 * 60 },
  /** Invoices as PDF that a customer opens: each takes up to a tenth of a second of a core. */
  invoicesOfCustomer: { points: 60, seconds: 60 * 60 },
  /** Codes for one new address, whichever customers of a store ask for them. */
  portalEmailsToAddressInDay: { points: 5, seconds: 24 * 60 * 60 },
  /** Mails of dev mode to one address, by whichever stores: a developer who tests a year of billing gets fewer. */
  devMailsToAddressInDay: { points: 100, seconds: 24 * 60 * 60 },
  devMailsOfStoreInDay: { points: 1_000, seconds: 24 * 60 * 60 },
  /**
   * Notices of a store about one kind of action, to owners whose address nobody has proven: the store could have given them a stranger's. The
   * dashboard shows all.
   */
  noticesToUnprovenAddressInDay: { points: 5, seconds: 24 * 60 * 60 },
  noticesToUnprovenOfStoreInDay: { points: 25, seconds: 24 * 60 * 60 },
  /** Unsolicited mails in the store's name. Limits what a stolen session can send. */
  invitationMailsOfStore: { points: 50, seconds: 24 * 60 * 60 },
  /** Pictures of logos: to draw one takes a core for up to five seconds, and the pictures of all stores wait for each other. */
  logosOfStore: { points: 30, seconds: 60 * 60 },
} as const;

export type Limit = keyof typeof LIMITS;

/**
 * Counts of these limits are never undone: an address over one of them is refused from memory until its time is over, so that a
 * flood does not load Postgres.
 */
export const NEVER_UNDONE: ReadonlySet<Limit> = new Set<Limit>([
  'pagesOfAddress',
  'unknownPagesOfAddress',
  'wrongKeysOfAddress',
  'strangersOfAddress',
  'cardTokensOfAddress',
  'chargesOfAddress',
  'portalCodesOfAddress',
]);

/**
 * A refused attempt does not count towards these limits. Otherwise right passwords that a person sends at the same time would use them
 * up until their time is over. Only sessions and browsers of the person reach them, and their requests are limited in memory, so a
 * flood does not load Postgres.
 */
export const REFUSED_UNCOUNTED: ReadonlySet<Limit> = new Set<Limit>([
  'wrongGuessesOfDevice',
  'signInsOfUserByDevice',
  'wrongStepUpsOfSession',
  'wrongStepUpsOfUser',
  'rightStepUpsOfDevice',
  'rightStepUpsOfUser',
]);
