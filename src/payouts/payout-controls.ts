import { PayoutControlsEntity } from '../database/entities/payout-controls.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { defaultControls, type PayoutControls } from '../domain/payout-controls.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import { payeeHashOf } from './payee-hash.ts';

type Row = Omit<PayoutControls, 'newMemberWaitHours'> & { readonly waitHours: number | null };

const READ = statement<StoreEnvironment, Row>(
  'read payout controls',
  () => `
  select max_payout_cents as "maxPayoutCents", max_day_cents as "maxDayCents",
    max_payee_day_cents as "maxPayeeDayCents", approval_above_cents as "approvalAboveCents",
    new_payee_wait_hours as "newPayeeWaitHours", new_member_wait_hours as "waitHours", requires_second_factor as "requiresSecondFactor"
  from payout_controls where store_id = :storeId and dev_mode = :devMode`,
);

/** The limits of a store in one environment: {@link defaultControls} until someone sets them. */
export async function payoutControlsOf(em: Em, owner: StoreEnvironment): Promise<PayoutControls> {
  const byDefault = defaultControls(owner.devMode);
  const [row] = await READ(em, owner);
  if (row === undefined) return byDefault;
  const { waitHours, ...controls } = row;
  return {
    ...controls,
    newMemberWaitHours: waitHours === null ? byDefault.newMemberWaitHours : waitHours || null,
  };
}

const LOCK = statement<StoreEnvironment, { id: string }>(
  'lock payout controls',
  () => 'select id from stores where id = :storeId for no key update',
);

/** Reads and locks the controls until the transaction ends: concurrent changes are serialized. */
export async function lockPayoutControls(em: Em, owner: StoreEnvironment): Promise<PayoutControls> {
  await LOCK(em, owner);
  return payoutControlsOf(em, owner);
}

/** Sets all controls of a store and environment, in the caller's transaction. */
export async function savePayoutControls(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  controls: PayoutControls,
  now: Date,
): Promise<void> {
  await em.upsert(
    PayoutControlsEntity,
    { storeId, devMode, ...controls, newMemberWaitHours: controls.newMemberWaitHours ?? 0, updatedAt: now },
    { onConflictFields: ['storeId', 'devMode'] },
  );
}

interface Day extends StoreEnvironment {
  readonly from: Date;
  readonly to: Date;
}

const SENT = `
  select coalesce(sum(amount_cents), 0) as cents from payouts
  where store_id = :storeId and dev_mode = :devMode and created_at >= :from and created_at < :to
    and status <> 'FAILED'`;

const SENT_IN_DAY = statement<Day, { cents: number }>(
  'sum the payouts of a day',
  () => `${SENT} and kind in ('PAYOUT', 'TRANSFER')`,
);

interface SoughtPayee {
  readonly payeeKey: string;
  /** Null without a key to hash with: payouts are then kept as text. */
  readonly payeeHash: string | null;
}

/** Matches by hash, and by the text that earlier releases stored. */
const IS_TO_PAYEE =
  'pix_key is not null and (payee_hash = :payeeHash or coalesce(payee_key, pix_key) = :payeeKey)';

const SENT_TO_PAYEE = statement<Day & SoughtPayee, { cents: number }>(
  'sum the payouts of a day to a payee',
  () => `${SENT} and ${IS_TO_PAYEE}`,
);

/**
 * The sum of payouts between two instants, sent or pending. Exact while the caller holds the store's balance: no
 * other payout can be added.
 */
export async function sentCentsBetween(em: Em, day: Day): Promise<number> {
  const [row] = await SENT_IN_DAY(em, day);
  return Number(row?.cents ?? 0);
}

/** That sum for one PIX key. */
export async function sentCentsToPayee(em: Em, payeeKey: string, day: Day): Promise<number> {
  const [row] = await SENT_TO_PAYEE(em, { ...day, payeeKey, payeeHash: payeeHashOf(em, day, payeeKey) });
  return Number(row?.cents ?? 0);
}

const IS_KNOWN = statement<StoreEnvironment & SoughtPayee & { before: Date }, { isKnown: boolean }>(
  'look whether a payee is known',
  () => `
  select exists (
    select from payouts
    where store_id = :storeId and dev_mode = :devMode and ${IS_TO_PAYEE}
      and status = 'COMPLETE' and coalesce(completed_at, updated_at) <= :before
  ) as "isKnown"`,
);

/** Whether a payout to this PIX key completed before that instant. */
export async function isKnownPayee(
  em: Em,
  owner: StoreEnvironment,
  payeeKey: string,
  before: Date,
): Promise<boolean> {
  const payeeHash = payeeHashOf(em, owner, payeeKey);
  const [row] = await IS_KNOWN(em, { ...owner, payeeKey, payeeHash, before });
  return row?.isKnown ?? false;
}
