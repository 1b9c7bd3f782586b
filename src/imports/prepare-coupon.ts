import { discountValueOf } from '../api/coupons/schema.ts';
import { type Coupon, CouponEntity } from '../database/entities/coupon.ts';
import type { Em } from '../database/orm.ts';
import { UNLIMITED_REDEEMS } from '../domain/coupon.ts';
import type { CouponId } from '../domain/ids.ts';
import { importedIdOf } from './import-ids.ts';
import { foundInStore, type ImportJob, type Planned, refuse } from './job.ts';
import type { CouponRow } from './rows.ts';

/** A coupon. One that the store has already is taken if it has the same terms. */
export async function prepareCoupon(
  em: Em,
  job: ImportJob,
  foreignId: string,
  { body, redeemed, isActive }: CouponRow,
  now: Date,
): Promise<Planned> {
  const { storeId, devMode } = job;
  const { code, duration, durationInCycles = null, validFrom = null, validUntil = null, maxRedeems } = body;
  if ((duration === 'REPEATING') !== (durationInCycles !== null))
    refuse(
      'durationInCycles',
      'must be the number of discounted payments of a REPEATING coupon, and empty for others',
    );
  if (validFrom !== null && validUntil !== null && validFrom >= validUntil)
    refuse('validUntil', 'must be later than validFrom');
  if (maxRedeems !== UNLIMITED_REDEEMS && redeemed > maxRedeems)
    refuse('redeemed', 'must be at most maxRedeems');
  const coupon: Coupon = {
    id: importedIdOf<CouponId>(job, 'coupon', foreignId),
    ...{ storeId, devMode, code, duration, maxRedeems, validFrom, validUntil },
    discountKind: body.discountKind,
    discountValue: discountValueOf(body),
    durationCycles: durationInCycles,
    redeemsCount: redeemed,
    reservedCount: 0,
    status: isActive ? 'ACTIVE' : 'INACTIVE',
    notes: body.notes ?? null,
    metadata: { ...body.metadata, importedFrom: job.source, importedId: foreignId },
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  const where = { storeId, devMode, code, deletedAt: null };
  const existing =
    (await em.findOne(CouponEntity, where, { disableIdentityMap: true })) ??
    job.references.plannedAs('coupon', code);
  if (existing !== null) return found(existing, coupon);
  const write = async (tx: Em) => {
    await tx.insert(CouponEntity, coupon);
    return null;
  };
  return { rowId: coupon.id, outcome: 'MADE', note: null, uniqueBy: code, value: coupon, write };
}

const TERMS = ['discountKind', 'discountValue', 'duration', 'durationCycles'] as const;

function found(existing: Coupon, coupon: Coupon): Planned {
  if (TERMS.some((term) => existing[term] !== coupon[term]))
    refuse('code', 'is taken by a coupon with another discount or duration; delete that coupon first');
  return foundInStore(existing);
}
