import { type CivilDate, saoPauloDateOf } from '../civil-date.ts';
import type { InvoiceLine, InvoiceLineType, InvoicePeriod } from '../invoice.ts';
import { decimalOf } from '../money.ts';
import { fiscalText } from './fiscal-text.ts';
import {
  type DpsVersion,
  dpsIdOf,
  type NfseIssuer,
  type SimplesAssessment,
  type SimplesKind,
  type SpecialRegime,
} from './nfse.ts';

/** An element of a document: its text, or its children in the order of the standard. Undefined ones are left out. */
export interface DpsElement {
  readonly [name: string]: string | DpsElement | undefined;
}

/** What a DPS is made of. */
export interface DpsFacts {
  readonly devMode: boolean;
  readonly number: number;
  readonly version: DpsVersion;
  readonly invoice: {
    readonly number: string;
    readonly lines: readonly InvoiceLine[];
    readonly period: InvoicePeriod | null;
    readonly createdAt: Date;
  };
  /** Null fields are unknown. */
  readonly payer: { readonly name: string | null; readonly taxId: string | null };
}

/** The version of the layout. */
export const DPS_VERSION = '1.01';
export const DPS_NAMESPACE = 'http://www.sped.fazenda.gov.br/nfse';

const LONGEST_NAME = 300;
const LONGEST_DESCRIPTION = 2_000;
const LONGEST_PROGRAM = 20;

const SIMPLES_CODES: Readonly<Record<SimplesKind, string>> = { NONE: '1', MEI: '2', ME_EPP: '3' };
const ASSESSMENT_CODES: Readonly<Record<SimplesAssessment, string>> = {
  ALL: '1',
  FEDERAL_ONLY: '2',
  NOTHING: '3',
};
const REGIME_CODES: Readonly<Record<SpecialRegime, string>> = {
  NONE: '0',
  COOPERATIVE: '1',
  ESTIMATE: '2',
  MUNICIPAL_MICROENTERPRISE: '3',
  NOTARY: '4',
  SELF_EMPLOYED: '5',
  PROFESSIONAL_SOCIETY: '6',
  OTHER: '9',
};

/** Fine and interest of a late payment are no price of a service. */
const NO_SERVICE: readonly InvoiceLineType[] = ['fine', 'interest'];

/** What an invoice charges for services, in cents. */
export interface ServicePrice {
  /** Before discounts. */
  readonly grossCents: number;
  /** Discounts, and credit that pays a part. */
  readonly discountCents: number;
}

/** The price of the services of an invoice; null if nothing is charged for them: then there is nothing to declare. */
export function servicePriceOf(lines: readonly InvoiceLine[]): ServicePrice | null {
  const amounts = lines
    .filter(({ type }) => !NO_SERVICE.includes(type))
    .map(({ amountCents }) => amountCents);
  const sumOf = (signed: readonly number[]) => signed.reduce((sum, cents) => sum + cents, 0);
  const grossCents = sumOf(amounts.filter((cents) => cents > 0));
  const discountCents = -sumOf(amounts.filter((cents) => cents < 0));
  return grossCents > discountCents ? { grossCents, discountCents } : null;
}

/**
 * The content of a DPS (Declaração de Prestação de Serviço) in version 1.01 of the national standard, unsigned. Its rules come from the
 * standard's schemas and Anexo I; the numbers of rejections are those of Anexo I.
 */
export function dpsOf(facts: DpsFacts): { readonly id: string; readonly content: DpsElement } {
  const { version, number, devMode, invoice, payer } = facts;
  const { issuer } = version;
  const issuedAt = new Date(version.issuedAt);
  const content: DpsElement = {
    tpAmb: devMode ? '2' : '1',
    dhEmi: saoPauloTimestamp(issuedAt),
    verAplic: fiscalText(version.program, LONGEST_PROGRAM),
    serie: String(issuer.series),
    nDPS: String(number),
    dCompet: serviceDateOf(facts, issuedAt),
    tpEmit: '1',
    cLocEmi: issuer.municipalityCode,
    prest: {
      CNPJ: issuer.cnpj,
      IM: issuer.municipalRegistration ?? undefined,
      regTrib: {
        opSimpNac: SIMPLES_CODES[issuer.simples],
        regApTribSN:
          issuer.simplesAssessment === null ? undefined : ASSESSMENT_CODES[issuer.simplesAssessment],
        regEspTrib: REGIME_CODES[issuer.specialRegime],
      },
    },
    toma: version.omitsPayer ? undefined : takerOf(payer),
    serv: {
      locPrest: { cLocPrestacao: issuer.municipalityCode },
      cServ: {
        cTribNac: issuer.serviceCode,
        cTribMun: issuer.municipalServiceCode ?? undefined,
        xDescServ: descriptionOf(invoice),
        cNBS: issuer.nbsCode ?? undefined,
      },
      infoCompl: { xInfComp: `Fatura ${invoice.number}` },
    },
    valores: valuesOf(issuer, invoice.lines),
    IBSCBS: ibsCbsOf(issuer),
  };
  return { id: dpsIdOf(issuer, number), content };
}

/** São Paulo has had no daylight saving time since 2019 (Decreto 9.772/2019). `TSDateTimeUTC` has an offset, no `Z` and no fraction. */
function saoPauloTimestamp(instant: Date): string {
  const local = new Date(instant.getTime() - 3 * 60 * 60 * 1_000);
  return `${local.toISOString().slice(0, 19)}-03:00`;
}

/** The first day of the cycle, else of the invoice, but never after the DPS (E0015). */
function serviceDateOf({ invoice: { period, createdAt } }: DpsFacts, issuedAt: Date): CivilDate {
  const begins = period === null ? createdAt : new Date(period.startsAt);
  return saoPauloDateOf(begins < issuedAt ? begins : issuedAt);
}

/** The payer as the taker of the service. The standard has none without a tax id or without a name. */
function takerOf({ name, taxId }: DpsFacts['payer']): DpsElement | undefined {
  const xNome = fiscalText(name ?? '', LONGEST_NAME);
  if (taxId === null || xNome === '') return undefined;
  return { ...(taxId.length === 11 ? { CPF: taxId } : { CNPJ: taxId }), xNome };
}

const LINE_NAMES: Partial<Record<InvoiceLineType, string>> = {
  usage: 'Consumo',
  card_fee: 'Taxa do cart\u00e3o',
  credit: 'Cr\u00e9dito',
  adjustment: 'Ajuste',
};

/** What was sold, in Portuguese, with the period of a subscription. */
function descriptionOf({ lines, period, number }: DpsFacts['invoice']): string {
  const sold = lines.filter(({ type, amountCents }) => amountCents > 0 && !NO_SERVICE.includes(type));
  const names = sold.map(({ type, description, quantity }) => {
    const name = fiscalText(description ?? LINE_NAMES[type] ?? '', LONGEST_DESCRIPTION);
    return quantity === null || quantity === 1 || name === '' ? name : `${quantity} x ${name}`;
  });
  const when = period === null ? '' : ` (${dayOf(period.startsAt)} a ${dayOf(period.endsAt)})`;
  const text = names.filter((name) => name !== '').join('; ');
  return `${fiscalText(text, LONGEST_DESCRIPTION - when.length) || `Fatura ${number}`}${when}`;
}

function dayOf(instant: string): string {
  return saoPauloDateOf(new Date(instant)).split('-').reverse().join('/');
}

function valuesOf(issuer: NfseIssuer, lines: readonly InvoiceLine[]): DpsElement {
  const price = servicePriceOf(lines);
  if (price === null) throw new Error('a DPS needs a price');
  const { grossCents, discountCents } = price;
  return {
    vServPrest: { vServ: decimalOf(grossCents) },
    vDescCondIncond: discountCents === 0 ? undefined : { vDescIncond: decimalOf(discountCents) },
    trib: {
      // Taxable, and not withheld.
      tribMun: { tribISSQN: '1', tpRetISSQN: '1', pAliq: rateOf(issuer) },
      totTrib: totalTaxesOf(issuer),
    },
  };
}

/** Refused if the Simples collects the ISS (E0625). */
function rateOf({ issRate, simples, simplesAssessment }: NfseIssuer): string | undefined {
  if (issRate === null || simples === 'MEI' || simplesAssessment === 'ALL') return undefined;
  return decimalOf(issRate);
}

/** Each regime has one form of the total (E0710, E0712, E0713). */
function totalTaxesOf({ simples, simplesRate, taxBurden }: NfseIssuer): DpsElement {
  if (simples === 'MEI') return { indTotTrib: '0' };
  if (simples === 'ME_EPP') return { pTotTribSN: decimalOf(simplesRate ?? 0) };
  const { federal, state, municipal } = taxBurden ?? { federal: 0, state: 0, municipal: 0 };
  return {
    pTotTrib: {
      pTotTribFed: decimalOf(federal),
      pTotTribEst: decimalOf(state),
      pTotTribMun: decimalOf(municipal),
    },
  };
}

function ibsCbsOf({ ibsCbs }: NfseIssuer): DpsElement | undefined {
  if (ibsCbs === null) return undefined;
  const { operationCode, taxSituation, taxClass } = ibsCbs;
  return {
    finNFSe: '0',
    cIndOp: operationCode,
    // The taker is the recipient.
    indDest: '0',
    valores: { trib: { gIBSCBS: { CST: taxSituation, cClassTrib: taxClass } } },
  };
}
