import { type Payout, PayoutEntity } from '../../database/entities/payout.ts';
import { StoreEntity } from '../../database/entities/store.ts';
import { ID_PREFIX, type PayoutId } from '../../domain/ids.ts';
import type { PayoutStatus } from '../../domain/payout.ts';
import { parseBrCode } from '../../domain/pix.ts';
import type { LogoFile } from '../../domain/store-logo.ts';
import { formatTaxId, maskTaxId } from '../../domain/tax-id.ts';
import { say } from '../frame/language.ts';
import type { PageDeps } from '../frame/page-context.ts';

/** A label of the receipt with its value. */
export interface ReceiptFact {
  readonly label: string;
  readonly value: string;
}

/** Everything the receipt of a payout or transfer shows, as plain text; the page escapes it. */
export interface PayoutReceiptView {
  readonly payoutId: string;
  /** The URL at which this receipt can be verified. */
  readonly url: string;
  readonly amountCents: number;
  /** The part of it that was returned. */
  readonly returnedCents: number;
  /** In progress from its creation until it has arrived or failed. */
  readonly status: PayoutStatus;
  /** Whether a member of the store must approve it before it is sent. */
  readonly waitsForApproval: boolean;
  /** When it was created, or when its result became known. */
  readonly at: Date;
  /** Known after it has arrived. */
  readonly endToEndIdentifier: string | null;
  readonly description: string | null;
  readonly merchantName: string;
  /** CNPJ or CPF, formatted; null if the store has none on record. */
  readonly merchantTaxId: string | null;
  /** The recipient, as far as anyone with the link may know. */
  readonly receiver: readonly ReceiptFact[];
  /** The store's colour, `#rrggbb`; null for the default. */
  readonly accentColor: string | null;
  readonly logoFile: LogoFile | null;
  readonly devMode: boolean;
}

const PAYOUT_ID = new RegExp(`^${ID_PREFIX.payout}[0-9A-Z]{26}$`);

/** Whether the text has the form of a payout's or transfer's id, and so not of a charge's. */
export function isPayoutId(id: string): id is PayoutId {
  return PAYOUT_ID.test(id);
}

/** The receipt of a payout or transfer, or null if it does not exist. */
export async function loadPayoutReceipt(deps: PageDeps, id: PayoutId): Promise<PayoutReceiptView | null> {
  const em = deps.database.em.fork();
  const payout = await em.findOne(PayoutEntity, { id }, { disableIdentityMap: true });
  if (payout === null) return null;
  const store = await em.findOneOrFail(StoreEntity, { id: payout.storeId });
  return {
    payoutId: id,
    url: `${deps.publicUrl}/receipt/${id}`,
    amountCents: payout.amountCents,
    returnedCents: payout.returnedCents,
    status: payout.status,
    waitsForApproval: payout.status === 'PENDING' && payout.approval === 'WAITING',
    at: payout.completedAt ?? payout.updatedAt,
    endToEndIdentifier: payout.endToEndIdentifier,
    description: payout.description,
    merchantName: store.name,
    merchantTaxId: store.taxId && formatTaxId(store.taxId),
    receiver: receiverOf(payout),
    accentColor: store.accentColor,
    logoFile: store.logoFile,
    devMode: payout.devMode,
  };
}

/** Shows only as much of the key as its owner needs to recognize it: anyone with the URL can read the page. */
function receiverOf({ pixKeyType, pixKey }: Payout): ReceiptFact[] {
  if (pixKeyType === null || pixKey === null)
    return [{ label: say('receipt.account'), value: say('receipt.theStoresOwnAccount') }];
  const key = (value: string) => [{ label: say('receipt.pixKey'), value }];
  switch (pixKeyType) {
    case 'CPF':
    case 'CNPJ':
      return key(`${pixKeyType} ${maskTaxId(pixKey)}`);
    case 'PHONE':
      return key(`${pixKey.slice(0, 5)} *****-${pixKey.slice(-4)}`);
    case 'EMAIL':
      return key(pixKey.replace(/^(.).*@/, '$1***@'));
    case 'RANDOM':
      return key(pixKey);
    case 'BR_CODE':
      return brCodeFacts(pixKey);
  }
}

/** The code names the recipient. The key inside may be a tax id and is not shown. */
function brCodeFacts(brCode: string): ReceiptFact[] {
  const reading = parseBrCode(brCode);
  return [
    ...(reading === null ? [] : [{ label: say('receipt.name'), value: reading.merchantName }]),
    { label: say('receipt.pixKey'), value: say('payer.pixCopiaEColaCode') },
  ];
}
