import { crc16 } from './crc16.ts';
import { centsOfDecimal, decimalOf } from './money.ts';

/*
 * BR Code: the EMV merchant-presented QR code of Pix (Bacen, "Manual de Padrões para Iniciação do Pix"; EMVCo,
 * "QR Code Specification for Payment Systems: Merchant-Presented Mode"). Own code rather than pix-utils, which
 * takes reais as floating point, refuses accents and long names instead of adapting them, and loads an HTTP
 * client; the tests read these codes with pix-utils.
 */

/** Identifies Pix inside the code. */
const PIX_GUI = 'br.gov.bcb.pix';

/** Every element says its length in two digits. */
const ELEMENT_MAX_LENGTH = 99;
const KEY_MAX_LENGTH = 77;
const NAME_MAX_LENGTH = 25;
const CITY_MAX_LENGTH = 15;

/** The amount element holds 13 characters, the point and two decimals among them. */
const BR_CODE_MAX_AMOUNT_CENTS = 999_999_999_999;

/** Stands for a name or city that has no character the code can carry; both elements are mandatory. */
const UNNAMED = 'NAO INFORMADO';

/** What Bacen's manual puts where a static code has no transaction id. */
const NO_TXID = '***';

/** Whether a text is a txid that a static code can carry (Bacen, "Manual de Padrões para Iniciação do Pix"). */
export function isTxid(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^[A-Za-z0-9]{1,25}$/.test(text);
}

/** The content of a BR Code. */
export interface BrCodeContent {
  /** The receiver's Pix key in the form the directory (DICT) stores, at most 77 ASCII characters. */
  readonly key: string;
  readonly merchantName: string;
  readonly merchantCity: string;
  readonly amountCents: number;
  /** 1 to 25 letters and digits; comes back with the payment. */
  readonly txid: string;
  /** Shown to the payer as far as it fits beside the key. */
  readonly description?: string;
}

/** The content of a static BR Code; null if it leaves amount or txid open. */
export interface BrCodeReading {
  readonly key: string;
  readonly amountCents: number | null;
  readonly txid: string | null;
  readonly merchantName: string;
  readonly merchantCity: string;
}

/**
 * The copy-and-paste text of a Pix charge. Names, city and description lose accents and whatever else is not
 * printable ASCII, and are cut to what the code holds (25 and 15 characters; key and description share 73).
 *
 * @throws RangeError when key, amount or txid does not fit: cutting those would send money elsewhere.
 */
export function buildBrCode(content: BrCodeContent): string {
  const { key, amountCents, txid } = content;
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > KEY_MAX_LENGTH) throw new RangeError('invalid Pix key');
  if (!isTxid(txid)) throw new RangeError('txid must be 1 to 25 letters and digits');
  if (!(amountCents >= 1 && amountCents <= BR_CODE_MAX_AMOUNT_CENTS)) {
    throw new RangeError('amount does not fit a BR Code');
  }
  const account = element('00', PIX_GUI) + element('01', key);
  const descriptionLength = ELEMENT_MAX_LENGTH - account.length - '0200'.length;
  const description = descriptionLength > 0 ? ascii(content.description ?? '', descriptionLength) : '';
  return signed({
    account: description === '' ? account : account + element('02', description),
    merchant: content,
    amountCents,
    txid,
  });
}

/** The content of a dynamic BR Code: the URL at which the payer's bank reads the charge. */
export interface DynamicBrCodeContent {
  /** Without scheme, at most 77 characters (Bacen, "Manual de Padrões para Iniciação do Pix"). */
  readonly location: string;
  readonly merchantName: string;
  readonly merchantCity: string;
}

/**
 * The copy-and-paste text of a charge that its bank stores: it contains no amount and no txid, since both are at
 * `location`.
 *
 * @throws RangeError when the location does not fit.
 */
export function buildDynamicBrCode({ location, ...merchant }: DynamicBrCodeContent): string {
  if (!/^[\x21-\x7e]{1,77}$/.test(location)) throw new RangeError('invalid location');
  const account = element('00', PIX_GUI) + element('25', location);
  return signed({ account, merchant, amountCents: null, txid: NO_TXID });
}

/** The locations of a composite code, without scheme. */
export interface CompositeLocations {
  /** Where the payer's bank reads the charge that the code also pays; null if it asks for consent only. */
  readonly charge: string | null;
  /** Where it reads the mandate. */
  readonly mandate: string;
}

/** The element of a code that refers to a mandate (Bacen's document of API Pix, `dadosQR`). */
const MANDATE_ELEMENT = '80';

/**
 * The copy-and-paste text that asks for consent to a mandate, and pays a charge if it names one.
 * @throws RangeError when a location does not fit.
 */
export function buildCompositeBrCode(
  locations: CompositeLocations,
  merchant: { readonly merchantName: string; readonly merchantCity: string },
): string {
  const { charge, mandate } = locations;
  for (const location of [mandate, charge ?? mandate])
    if (!/^[\x21-\x7e]{1,77}$/.test(location)) throw new RangeError('invalid location');
  const account = element('00', PIX_GUI) + (charge === null ? '' : element('25', charge));
  const reference = element('00', PIX_GUI) + element('25', mandate);
  const more = element(MANDATE_ELEMENT, reference);
  return signed({ account, merchant, amountCents: null, txid: NO_TXID, more });
}

/** Reads a composite code, after verifying the checksum; null if it is damaged or refers to no mandate. */
export function parseCompositeBrCode(text: string): CompositeLocations | null {
  const root = signedElementsOf(text);
  const mandate = locationIn(root?.get(MANDATE_ELEMENT));
  if (root === null || mandate === null) return null;
  return { charge: locationIn(root.get('26')), mandate };
}

function locationIn(template: string | undefined): string | null {
  const account = elementsOf(template ?? '');
  return account?.get('00')?.toLowerCase() === PIX_GUI ? (account.get('25') ?? null) : null;
}

/** The elements of every code, and the checksum over them. */
function signed(code: {
  /** Elements after all others. */
  readonly more?: string;
  readonly account: string;
  readonly merchant: { readonly merchantName: string; readonly merchantCity: string };
  readonly amountCents: number | null;
  readonly txid: string;
}): string {
  const unsigned = [
    element('00', '01'),
    element('26', code.account),
    element('52', '0000'),
    element('53', '986'),
    code.amountCents === null ? '' : element('54', decimalOf(code.amountCents)),
    element('58', 'BR'),
    element('59', ascii(code.merchant.merchantName, NAME_MAX_LENGTH) || UNNAMED),
    element('60', ascii(code.merchant.merchantCity, CITY_MAX_LENGTH) || UNNAMED),
    element('62', element('05', code.txid)),
    code.more ?? '',
    '6304',
  ].join('');
  return unsigned + crc16(unsigned);
}

/**
 * Reads a static BR Code, one that carries its Pix key, after verifying the checksum.
 *
 * @returns null when the code is damaged, is not Pix in reais, or only refers to a charge by URL.
 */
export function parseBrCode(text: string): BrCodeReading | null {
  const root = signedElementsOf(text);
  if (root === null) return null;
  const key = pixKeyOf(root);
  const merchantName = root.get('59');
  const merchantCity = root.get('60');
  const amount = root.get('54');
  const amountCents = amount === undefined ? null : centsOfDecimal(amount);
  if (amount !== undefined && amountCents === null) return null;
  if (key === null || !merchantName || !merchantCity) return null;
  const txid = elementsOf(root.get('62') ?? '')?.get('05') ?? NO_TXID;
  return { key, amountCents, txid: txid === NO_TXID ? null : txid, merchantName, merchantCity };
}

/** The elements of a code in reais; null if its checksum or form is wrong. */
function signedElementsOf(text: string): Map<string, string> | null {
  if (!/^[\x20-\x7e]+$/.test(text)) return null;
  const unsigned = text.slice(0, -4);
  if (!unsigned.endsWith('6304') || text.slice(-4) !== crc16(unsigned)) return null;
  const root = elementsOf(text);
  return root?.get('00') === '01' && root.get('53') === '986' ? root : null;
}

function element(id: string, value: string): string {
  return `${id}${value.length < 10 ? '0' : ''}${value.length}${value}`;
}

/** Elements by id; null when lengths do not add up or an id comes twice. */
function elementsOf(text: string): Map<string, string> | null {
  const elements = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const header = text.slice(at, at + 4);
    if (!/^\d{4}$/.test(header)) return null;
    const id = header.slice(0, 2);
    const end = at + 4 + Number(header.slice(2));
    if (end > text.length || elements.has(id)) return null;
    elements.set(id, text.slice(at + 4, end));
    at = end;
  }
  return elements;
}

/** The key in whichever account template, 26 to 51, is that of Pix. */
function pixKeyOf(root: Map<string, string>): string | null {
  for (let id = 26; id <= 51; id++) {
    const account = elementsOf(root.get(String(id)) ?? '');
    if (account?.get('00')?.toLowerCase() === PIX_GUI) return account.get('01') ?? null;
  }
  return null;
}

function ascii(text: string, maxLength: number): string {
  // Most names are plain already, and normalising costs as much as the rest of the code.
  const plain = /^[\x20-\x7e]*$/.test(text) ? text : text.normalize('NFKD').replace(/[^\x20-\x7e]/g, '');
  return plain.replace(/ {2,}/g, ' ').trim().slice(0, maxLength).trimEnd();
}
