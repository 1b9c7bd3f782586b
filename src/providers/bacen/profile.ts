/** A bank's addresses: the prefix of all resources, and the full address of tokens. */
export interface BankAddresses {
  readonly api: string;
  readonly token: string;
}

/** The resources of API Pix. Some banks mix several versions. */
export interface ResourcePaths {
  /** An immediate charge, by its txid. */
  readonly cob: string;
  /** The same resource for revisions (PATCH). */
  readonly cobRevision: string;
  /** A charge with a due date, by its txid. */
  readonly cobv: string;
  readonly cobvRevision: string;
  /** Received payments, and their refunds (devoluções) below each. */
  readonly pix: string;
  readonly webhook: string;
}

/** The resources of Pix Automático: mandates, debit instructions and the locations of codes. */
export interface MandatePaths {
  readonly rec: string;
  readonly cobr: string;
  readonly locrec: string;
  /** Where the address for notifications of each is registered: one for the application. */
  readonly webhookRec: string;
  readonly webhookCobr: string;
}

/** How a bank issues tokens (OAuth 2.0, client credentials; RFC 6749 section 4.4). */
export interface TokenStyle {
  /** Where the client's id and secret are sent. Without a secret, the certificate alone identifies the client. */
  readonly credentials: 'BASIC' | 'FORM' | 'FORM_WITHOUT_SECRET';
  readonly body: 'FORM' | 'JSON';
  readonly grantTypeIn: 'BODY' | 'QUERY';
  /** Null if the bank expects no scope: the contract defines the client's rights. */
  readonly scopes: readonly string[] | null;
}

/** An order by BR Code instead of key, so that the payment carries the code's txid. */
export interface OrderByCode {
  /** PUT, with an id of ours for `:id`. An id can be used once across both kinds of orders. */
  readonly path: string;
  /** The scope required in addition to those of orders by key. */
  readonly scope: string;
}

/** How a bank sends money, which API Pix does not define: each bank has its own way, or none. */
export interface SendExtension {
  /** PUT, followed by an id of ours. */
  readonly order: string;
  /** Null if the bank sends to keys only: a txid cannot be carried then. */
  readonly orderByCode: OrderByCode | null;
  /** The required scopes, under the names in the bank's tokens. */
  readonly scopes: readonly string[];
  /** GET, followed by the same id. */
  readonly byReference: string;
  /** GET with a time range and a page, like received payments; null if the bank has no list. */
  readonly list: string | null;
}

/** What a request may need besides its token, by the name of the account's setting. */
export type AccountSetting = 'clientId' | 'accountNumber' | 'applicationKey';

/**
 * An institution's deviations from Bacen's document, as data: one adapter serves all. Each profile names its
 * sources: the bank's documents or other clients.
 */
export interface BacenProfile {
  readonly institution: string;
  /** True only after someone has run `howToVerify`. */
  readonly verifiedInTheBanksSandbox: boolean;
  readonly howToVerify: string;
  /** Null if each client gets its own addresses: the account must then contain them. */
  readonly production: BankAddresses | null;
  readonly sandbox: BankAddresses | null;
  readonly paths: ResourcePaths;
  readonly token: TokenStyle;
  /** Headers with a setting of the account as value; a missing setting omits the header. */
  readonly headers: Readonly<Record<string, AccountSetting>>;
  readonly query: Readonly<Record<string, AccountSetting>>;
  /** A header with a new id for each request; null if none is required. */
  readonly correlationHeader: string | null;
  /** The field with a charge's copy-and-paste code. Banks without one return a location only. */
  readonly codeField: 'pixCopiaECola' | 'brcode' | 'textoImagemQRcode';
  /** The status of a PUT that created something; Bacen's document says 201. */
  readonly createdStatus: { readonly cob: 200 | 201; readonly cobv: 200 | 201; readonly refund: 200 | 201 };
  readonly errors: 'PROBLEM' | 'BANCO_DO_BRASIL';
  /** A header of the webhook's registration that makes the bank call without its certificate; null if there is none. */
  readonly webhookWithoutCertificateHeader: string | null;
  readonly send: SendExtension | null;
  /** Whether a published source shows that the bank issues charges with a due date (`cobv`). */
  readonly dueCharges: boolean;
  /** Null if no published source shows that the bank offers Pix Automático through this API. */
  readonly mandates: MandatePaths | null;
  /** Scopes that a token needs for mandates, beside {@link TokenStyle.scopes}. A bank may refuse a token for one that it does not know. */
  readonly mandateScopes: readonly string[];
}

/** The scopes that the adapter uses (Bacen's document, `securitySchemes`). */
export const SCOPES = [
  'cob.read',
  'cob.write',
  'cobv.read',
  'cobv.write',
  'pix.read',
  'pix.write',
  'webhook.read',
  'webhook.write',
] as const;

/** The scopes that mandates need, beside those of charges (Bacen's document, `securitySchemes`). */
export const MANDATE_SCOPES = [
  'rec.read',
  'rec.write',
  'cobr.read',
  'cobr.write',
  'payloadlocationrec.write',
] as const;

/** The common case: Bacen's document to the letter, with `version` before each resource. */
export const BY_THE_DOCUMENT = {
  verifiedInTheBanksSandbox: false,
  paths: pathsOf(''),
  token: { credentials: 'BASIC', body: 'FORM', grantTypeIn: 'BODY', scopes: null },
  headers: {},
  query: {},
  correlationHeader: null,
  codeField: 'pixCopiaECola',
  createdStatus: { cob: 201, cobv: 201, refund: 201 },
  errors: 'PROBLEM',
  webhookWithoutCertificateHeader: null,
  send: null,
  dueCharges: false,
  mandates: null,
  mandateScopes: MANDATE_SCOPES,
} as const satisfies Partial<BacenProfile>;

/** The same at banks whose published clients know no scope for the locations of codes. */
export const MANDATE_SCOPES_WITHOUT_LOCATIONS = ['rec.read', 'rec.write', 'cobr.read', 'cobr.write'] as const;

/** All resources below one version. */
export function pathsOf(version: string): ResourcePaths {
  const cob = `${version}/cob`;
  const cobv = `${version}/cobv`;
  return {
    cob,
    cobRevision: cob,
    cobv,
    cobvRevision: cobv,
    pix: `${version}/pix`,
    webhook: `${version}/webhook`,
  };
}

/** All resources of Pix Automático below one version. */
export function mandatePathsOf(version: string): MandatePaths {
  return {
    rec: `${version}/rec`,
    cobr: `${version}/cobr`,
    locrec: `${version}/locrec`,
    webhookRec: `${version}/webhookrec`,
    webhookCobr: `${version}/webhookcobr`,
  };
}
