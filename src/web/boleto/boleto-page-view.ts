import { payerOf } from '../../database/charge-payer.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { type Store, StoreEntity } from '../../database/entities/store.ts';
import { storeTimeOf } from '../../database/store-clock.ts';
import { dueTermsOf } from '../../domain/charge.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { amountDueOn } from '../../domain/fine-and-interest.ts';
import { lastDayToPay } from '../../domain/last-day-to-pay.ts';
import { formatTaxId } from '../../domain/tax-id.ts';
import { brCodeToday } from '../../providers/br-code-today.ts';
import type { BoletoIssuer } from '../../providers/ports/boletos.ts';
import { portOf } from '../../providers/provider.ts';
import type { Providers } from '../../providers/providers.ts';
import { qrCodeSvgPath } from '../../wire/qr-code.ts';
import { findPageCharge } from '../frame/find-page-charge.ts';
import type { PageDeps } from '../frame/page-context.ts';
import { payerTexts } from '../frame/payer-texts.ts';
import type { BoletoPagePix, BoletoPageView } from './boleto-view.ts';

/** The "número do documento" of CNAB 400 has ten characters. The end of an id is its random part. */
const DOCUMENT_NUMBER_LENGTH = 10;

/** The address of a boleto's page, with the checkout that it leads back to. */
export function boletoPathFrom({ id, checkoutId }: Pick<Charge, 'id' | 'checkoutId'>): string {
  return `/boleto/${id}?order=${checkoutId}`;
}

/**
 * The current state of a boleto's page, or null if `id` is not a boleto.
 *
 * @param order the checkout that the reader came from, or any other text.
 * @throws if no configured provider could have issued it, or its provider is unreachable.
 */
export async function loadBoletoPage(
  deps: PageDeps,
  id: string,
  order: string | null,
): Promise<BoletoPageView | null> {
  const em = deps.database.em.fork();
  const charge = await findPageCharge(em, id);
  const terms = charge && dueTermsOf(charge);
  if (charge === null || terms === null || charge.barCode === null) return null;
  const store = await em.findOneOrFail(StoreEntity, { id: charge.storeId });
  const payer = payerTexts(payerOf(charge));
  const now = await storeTimeOf(em, charge, deps.clock());
  const today = saoPauloDateOf(now);
  return {
    id: charge.id,
    merchantName: store.name,
    merchantTaxId: store.taxId && formatTaxId(store.taxId),
    payerName: payer.name,
    payerTaxId: payer.taxId,
    description: charge.description,
    status: charge.status,
    paid: paidOf(charge),
    createdOn: saoPauloDateOf(charge.createdAt),
    dueDate: terms.dueDate,
    lastDayToPay: lastDayToPay(terms),
    today,
    due: amountDueOn(terms, today),
    terms,
    barCode44: charge.barCode,
    pix: await pixToday(charge, store, deps.providers, now),
    ...(await issuerOf(deps.providers, charge)),
    ourNumber: charge.ourNumber,
    voucher: voucherOf(charge),
    documentNumber: charge.id.slice(-DOCUMENT_NUMBER_LENGTH),
    accentColor: store.accentColor,
    logoFile: store.logoFile,
    devMode: charge.devMode,
    orderPath: order !== null && order === charge.checkoutId ? `/pay/${order}/${charge.id}` : null,
  };
}

function paidOf({ paidAt, paidAmountCents }: Charge): BoletoPageView['paid'] {
  if (paidAt === null || paidAmountCents === null) return null;
  return { on: saoPauloDateOf(paidAt), amountCents: paidAmountCents };
}

function voucherOf({ voucherUrl, voucherPdfUrl }: Charge): BoletoPageView['voucher'] {
  const url = voucherPdfUrl ?? voucherUrl;
  return url === null ? null : { url, isPdf: voucherPdfUrl !== null };
}

async function pixToday(
  charge: Charge,
  beneficiary: Store,
  providers: Providers,
  now: Date,
): Promise<BoletoPagePix | null> {
  const brCode = await brCodeToday(charge, { providers, beneficiary, now });
  return brCode === null ? null : { brCode, qr: qrCodeSvgPath(brCode) };
}

async function issuerOf(providers: Providers, charge: Charge): Promise<BoletoIssuer> {
  return portOf(await providers.issuerOf(charge), 'boletos').issuer;
}
