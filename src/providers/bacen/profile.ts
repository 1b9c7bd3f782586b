/** Where a bank answers: everything before a resource's path, and the whole address that gives tokens. */
export interface BankAddresses {
  readonly api: string;
  readonly token: string;
}

/** Resources of API Pix. Some banks have several versions of it beside one another. */
export interface ResourcePaths {
  /** One immediate charge, by its txid. */
  readonly cob: string;
  /** The same, where it is revised (PATCH). */
  readonly cobRevision: string;
  /** One charge with a due date, by its txid. */
  readonly cobv: string;
  readonly cobvRevision: string;
  /** Payments received, and below each its refunds (devoluções). */
  readonly pix: string;
  readonly webhook: string;
}

/** How a bank hands out its tokens (OAuth 2.0, client credentials; RFC 6749 section 4.4). */
export interface TokenStyle {
  /** Where the client's id and secret stand. Without a secret the certificate alone proves who asks. */
  readonly credentials: 'BASIC' | 'FORM' | 'FORM_WITHOUT_SECRET';
  readonly body: 'FORM' | 'JSON';
  readonly grantTypeIn: 'BODY' | 'QUERY';
  /** Null where the bank wants no scope named: the client has what the contract gives it. */
  readonly scopes: readonly string[] | null;
}

/** An order that names a BR Code instead of a key, so that the payment carries the code's txid. */
export interface OrderByCode {
  /** PUT, with an id of ours in place of `:id`. One id is used once in both kinds of order. */
  readonly path: string;
  /** What the application needs beside the scopes of orders by key. */
  readonly scope: string;
}

/** How money is sent, which API Pix does not know: each bank has its own way, or none. */
export interface SendExtension {
  /** PUT, followed by an id of ours. */
  readonly order: string;
  /** Null where the bank sends to keys only: a txid cannot be carried then. */
  readonly orderByCode: OrderByCode | null;
  /** What the application needs for all of this, as the bank names it in its tokens. */
  readonly scopes: readonly string[];
  /** GET, followed by the same id. */
  readonly byReference: string;
  /** GET with a time and a page, as payments received are listed; null where the bank lists none. */
  readonly list: string | null;
}

/** What a request may need beside its token, by the setting of the account that it is taken from. */
export type AccountSetting = 'clientId' | 'accountNumber' | 'applicationKey';

/**
 * What one institution does otherwise than Bacen's document says, as data: there is one adapter for all of them. What
 * stands here was read in the bank's documents or in clients of others, and each profile names which.
 */
export interface BacenProfile {
  readonly institution: string;
  /** Turns true when somebody has run `howToVerify`, and not before. */
  readonly verifiedInTheBanksSandbox: boolean;
  readonly howToVerify: string;
  /** Null where the bank tells them to each client: the account must then name them. */
  readonly production: BankAddresses | null;
  readonly sandbox: BankAddresses | null;
  readonly paths: ResourcePaths;
  readonly token: TokenStyle;
  /** Headers whose value is a setting of the account; one that it lacks is left out. */
  readonly headers: Readonly<Record<string, AccountSetting>>;
  readonly query: Readonly<Record<string, AccountSetting>>;
  /** A header that must name each request anew; null where none is asked for. */
  readonly correlationHeader: string | null;
  /** The field of a charge that holds its copy-and-paste code. Banks that have none give a location alone. */
  readonly codeField: 'pixCopiaECola' | 'brcode' | 'textoImagemQRcode';
  /** What a PUT that has made something answers with; Bacen's document says 201. */
  readonly createdStatus: { readonly cob: 200 | 201; readonly cobv: 200 | 201; readonly refund: 200 | 201 };
  readonly errors: 'PROBLEM' | 'BANCO_DO_BRASIL';
  /** A header of the webhook's registration that has the bank call without showing its certificate; null where none can. */
  readonly webhookWithoutCertificateHeader: string | null;
  readonly send: SendExtension | null;
}

/** What most profiles have: Bacen's document to the letter, with `version` before each resource. */
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
} as const satisfies Partial<BacenProfile>;

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

/** Every resource below one version. */
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
