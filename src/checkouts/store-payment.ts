import { isStillSaved } from '../cards/saved-cards.ts';
import { insertCharge } from '../charges/insert-charge.ts';
import { payerColumns } from '../database/charge-payer.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { CouponEntity } from '../database/entities/coupon.ts';
import { type Mandate, MandateEntity } from '../database/entities/mandate.ts';
import type { SavedCard } from '../database/entities/saved-card.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Database, Em } from '../database/orm.ts';
import { couponProblemOf } from '../domain/coupon.ts';
import type { CouponId } from '../domain/ids.ts';
import { METHOD_TRAITS } from '../domain/payment-methods.ts';
import { KEEP_RECEIPT_MAIL } from '../mail/queue/receipt-mails.ts';
import { limitBoletosWithCoupon } from './boletos-with-coupon.ts';
import { limitCardCharge } from './card-attempts.ts';
import { customerOf, type KnownPayer } from './payer.ts';
import type { PaymentMoment } from './payment-deps.ts';
import { PaymentRefusal } from './payment-refusal.ts';

/** @param saved the card that it charges, which nobody may remove until it is stored; absent for any other. */
interface StoredMoment extends PaymentMoment {
  readonly saved?: SavedCard | null;
  /** Which its code asks for; absent without one. */
  readonly mandate?: Mandate | null;
}

/** Rolls back a transaction whose charge already exists, including its reservation. */
class Duplicate extends Error {}

/**
 * Stores a charge of a checkout, links its payer and reserves its coupon: all or nothing.
 *
 * Rows are locked in the order checkout, customer, charge, coupon, as everywhere. The shared lock on the checkout
 * delays anything that would end it until this charge is committed, so that the charge is seen and closed.
 *
 * @returns the charge, or the one that the same submission (or another acceptance of the same upsell) inserted
 *   before.
 * @throws PaymentRefusal NOT_OPEN if the checkout has ended, COUPON_EXHAUSTED and others if the coupon can no longer be
 *   used, TOO_MANY_ATTEMPTS.
 */
export async function storePayment(
  database: Database,
  charge: Charge,
  payer: KnownPayer,
  { receiptLanguage: language = null, saved = null, mandate = null }: StoredMoment,
): Promise<Charge> {
  try {
    return await database.em.fork().transactional(async (em) => {
      await limitCardCharge(em, charge);
      if (saved !== null && !(await isStillSaved(em, saved.id)))
        throw new PaymentRefusal('CARD_NOT_ACCEPTED');
      if (charge.upsellOf === null) await lockOpenCheckout(em, charge);
      const customer = await customerOf(em, payer, charge, charge.createdAt);
      const row = { ...charge, ...payerColumns(payer.payer), payerLanguage: language, ...customer };
      if (row.couponId !== null) {
        if (METHOD_TRAITS[row.method].hasDueDate) await limitBoletosWithCoupon(em, row.couponId);
        await reserveCoupon(em, row.couponId, row.createdAt);
      }
      if (!(await insertCharge(em, row))) throw new Duplicate();
      if (mandate !== null) await insertNew(em, MandateEntity, mandate);
      if (language !== null && row.payerEmail !== null)
        await KEEP_RECEIPT_MAIL(em, { chargeId: row.id, language });
      return row;
    });
  } catch (error) {
    if (error instanceof Duplicate) return earlier(database, charge);
    // The same submission, stored meanwhile, may have ended the checkout or used up the coupon.
    if (error instanceof PaymentRefusal)
      return (await sameAttempt(database.em.fork(), charge)) ?? Promise.reject(error);
    throw error;
  }
}

async function lockOpenCheckout(em: Em, { checkoutId, createdAt }: Charge): Promise<void> {
  const open = await em.execute<unknown[]>(
    `select 1 from checkouts
     where id = :checkoutId and status = 'PENDING' and (expires_at is null or expires_at > :createdAt) for share`,
    { checkoutId, createdAt },
  );
  if (open.length === 0) throw new PaymentRefusal('NOT_OPEN');
}

/** The coupon may have changed since the quote, so the statement itself checks all that a use needs. */
async function reserveCoupon(em: Em, couponId: CouponId, now: Date): Promise<void> {
  const reserved = await em.execute<unknown[]>(
    `update coupons set reserved_count = reserved_count + 1
     where id = :couponId and status = 'ACTIVE' and deleted_at is null
       and (max_redeems = -1 or redeems_count + reserved_count < max_redeems)
       and (valid_from is null or valid_from <= :now) and (valid_until is null or valid_until > :now)
     returning id`,
    { couponId, now },
  );
  if (reserved.length > 0) return;
  const coupon = await em.findOne(
    CouponEntity,
    { id: couponId, deletedAt: null },
    { disableIdentityMap: true },
  );
  throw new PaymentRefusal(couponProblemOf(coupon, now) ?? 'COUPON_EXHAUSTED');
}

function sameAttempt(em: Em, { checkoutId, submissionKey }: Charge): Promise<Charge | null> {
  return em.findOne(ChargeEntity, { checkoutId, submissionKey });
}

async function earlier(database: Database, charge: Charge): Promise<Charge> {
  const em = database.em.fork();
  const submittedBefore = await sameAttempt(em, charge);
  if (submittedBefore !== null || charge.upsellOf === null)
    return submittedBefore ?? Promise.reject(new PaymentRefusal('NOT_OPEN'));
  const open = {
    upsellOf: charge.upsellOf,
    status: { $nin: ['EXPIRED', 'CANCELLED', 'FAILED'] },
  } as const;
  return (await em.findOne(ChargeEntity, open)) ?? Promise.reject(new PaymentRefusal('NOT_OPEN'));
}
