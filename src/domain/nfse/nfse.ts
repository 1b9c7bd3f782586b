/**
 * Where the NFS-e (electronic service invoice) of an invoice is. PENDING: its DPS waits for the tax authority. AUTHORIZED: the NFS-e
 * exists. REJECTED: the authority refused the DPS. CANCELLED: the NFS-e was cancelled.
 */
export const NFSE_STATUSES = ['PENDING', 'AUTHORIZED', 'REJECTED', 'CANCELLED'] as const;
export type NfseStatus = (typeof NFSE_STATUSES)[number];

/** Why a cancellation is asked for. DUPLICATE: the invoice has another NFS-e. */
export const NFSE_CANCELLATION_REASONS = ['REFUNDED', 'VOIDED', 'REQUESTED', 'DUPLICATE'] as const;
export type NfseCancellationReason = (typeof NFSE_CANCELLATION_REASONS)[number];

/** What the tax authority found wrong. */
export interface NfseError {
  /** The authority's code, such as `E0014`; null if the transmitter has none. */
  readonly code: string | null;
  readonly message: string;
}

/** The invoice status at which a DPS is issued. CREATED: when the invoice is numbered, paid or not. */
export const NFSE_TRIGGERS = ['PAID', 'CREATED'] as const;
export type NfseTrigger = (typeof NFSE_TRIGGERS)[number];

/** Under the Simples Nacional: not at all, as a MEI, or as a small business (ME/EPP). */
export const SIMPLES_KINDS = ['NONE', 'MEI', 'ME_EPP'] as const;
export type SimplesKind = (typeof SIMPLES_KINDS)[number];

/** Who collects a small business' taxes: all by the Simples, all but ISS, or none (`regApTribSN`). */
export const SIMPLES_ASSESSMENTS = ['ALL', 'FEDERAL_ONLY', 'NOTHING'] as const;
export type SimplesAssessment = (typeof SIMPLES_ASSESSMENTS)[number];

/** Special regimes of the ISS (`regEspTrib`). */
export const SPECIAL_REGIMES = [
  'NONE',
  'COOPERATIVE',
  'ESTIMATE',
  'MUNICIPAL_MICROENTERPRISE',
  'NOTARY',
  'SELF_EMPLOYED',
  'PROFESSIONAL_SOCIETY',
  'OTHER',
] as const;
export type SpecialRegime = (typeof SPECIAL_REGIMES)[number];

/** Approximate taxes within a price (Lei 12.741/2012), in hundredths of a percent. */
export interface TaxBurden {
  readonly federal: number;
  readonly state: number;
  readonly municipal: number;
}

/** The codes of the IBS and CBS (Lei Complementar 214/2025) that every document of the store has. */
export interface IbsCbs {
  /** `cIndOp`, 6 digits. */
  readonly operationCode: string;
  /** `CST`, 3 digits. */
  readonly taxSituation: string;
  /** `cClassTrib`, 6 digits. */
  readonly taxClass: string;
}

/** The store as its DPS names it, and its service. */
export interface NfseIssuer {
  /** 14 characters without punctuation. */
  readonly cnpj: string;
  readonly municipalRegistration: string | null;
  /** The IBGE code of the municipality that issues the NFS-e and in which the service is provided, 7 digits. */
  readonly municipalityCode: string;
  /** From 1 to 49999: the range of taxpayers' own programs. */
  readonly series: number;
  /** `cTribNac`, 6 digits. */
  readonly serviceCode: string;
  /** `cTribMun`, 3 digits. */
  readonly municipalServiceCode: string | null;
  /** `cNBS`, 9 digits. */
  readonly nbsCode: string | null;
  /** The rate of the ISS in hundredths of a percent; null if the municipality's parameters have it. */
  readonly issRate: number | null;
  readonly simples: SimplesKind;
  /** Null unless `simples` is ME_EPP. */
  readonly simplesAssessment: SimplesAssessment | null;
  readonly specialRegime: SpecialRegime;
  /** Null for stores in the Simples. */
  readonly taxBurden: TaxBurden | null;
  /** The effective rate of the Simples in hundredths of a percent; null unless `simples` is ME_EPP. */
  readonly simplesRate: number | null;
  readonly ibsCbs: IbsCbs | null;
}

/** Whether, when and with what a store issues DPS, in one environment. */
export interface NfseSettings {
  readonly isOn: boolean;
  readonly issuesOn: NfseTrigger;
  /** Null until it was entered once. Switched off, it stays. */
  readonly issuer: NfseIssuer | null;
}

export const DEFAULT_NFSE_SETTINGS: NfseSettings = { isOn: false, issuesOn: 'PAID', issuer: null };

/** One issue of a DPS: the data that its document has. A rejected DPS is issued again with the data of that moment. */
export interface DpsVersion {
  /** Counts from 1. */
  readonly attempt: number;
  /** The store's time, ISO 8601. */
  readonly issuedAt: string;
  /** Whether the document leaves out the payer, because the authority refused it. */
  readonly omitsPayer: boolean;
  /** The program that issued it (`verAplic`), so that the document stays the same after an upgrade. */
  readonly program: string;
  readonly issuer: NfseIssuer;
}

export const MAX_SERIES = 49_999;
/** The highest rate that the Lei Complementar 116/2003 allows (article 8). */
export const MAX_ISS_RATE = 500;

/**
 * The id of a DPS, by which the authority knows it: it makes at most one NFS-e of an id (`TSIdDPS`): municipality, kind of tax id (2 is a
 * CNPJ), tax id, series and number.
 */
export function dpsIdOf(
  { municipalityCode, cnpj, series }: Pick<NfseIssuer, 'municipalityCode' | 'cnpj' | 'series'>,
  number: number,
): string {
  return `DPS${municipalityCode}2${cnpj}${String(series).padStart(5, '0')}${String(number).padStart(15, '0')}`;
}

const ACCESS_KEY = /^\d{8}[12]([0-9A-Z]{14})(\d{13})\d{14}$/;

/**
 * Reads an access key (`TSChaveNFSe`, 50 characters): municipality, environment, kind of tax id, tax id, number, month, code and
 * check digit. @returns null if the text is no access key.
 */
export function parseAccessKey(
  text: string,
): { readonly municipalityCode: string; readonly taxId: string; readonly number: number } | null {
  const [, taxId, number] = ACCESS_KEY.exec(text) ?? [];
  if (taxId === undefined || number === undefined) return null;
  return { municipalityCode: text.slice(0, 7), taxId, number: Number(number) };
}
