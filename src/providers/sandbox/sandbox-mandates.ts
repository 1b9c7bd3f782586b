import { type SandboxMandate, SandboxMandateEntity } from '../../database/entities/sandbox-mandate.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import { buildCompositeBrCode } from '../../domain/pix.ts';
import { sandboxDebitBehaviourOf } from '../../domain/sandbox-payers.ts';
import type { CreateMandate, MandateAnswer, MandatesPort, ProviderMandate } from '../ports/mandates.ts';
import type { SandboxBank } from './sandbox-bank.ts';
import { sandboxDebits } from './sandbox-debits.ts';
import { CODES, SANDBOX_MANDATE_TERMS } from './sandbox-mandate-terms.ts';

const DAY_MS = 24 * 60 * 60_000;
const ANSWERED_WITHIN_DAYS = 7;

const ANSWER = statement<{ id: string; answer: SandboxMandate['answer'] }>(
  'answer a sandbox mandate',
  () => `update sandbox_mandates set answer = :answer
    where id = :id and (answer is null or answer = 'ACCEPT')`,
);

const HAS_PAID = statement<{ id: string }, { count: number }>(
  'count paid debits of a sandbox mandate',
  () => `select count(*) as count from sandbox_debits debit
    join sandbox_charges charge on charge.reference = debit.reference and charge.status in ('PAID', 'RETURNED')
    where debit.mandate_id = :id`,
);

/**
 * Mandates and debits at the simulated payers' banks. As a strict bank it refuses what Bacen's rules forbid. Nothing happens by
 * itself: a request at some time gets what has happened until then.
 */
export function sandboxMandates(
  database: Database,
  bank: Pick<SandboxBank, 'pay' | 'close' | 'findByReference'>,
): MandatesPort & SandboxPayerAnswers {
  const em = () => database.em.fork();
  const mandateRow = (id: string) => em().findOne(SandboxMandateEntity, { id });

  const standingOf = async (row: SandboxMandate, now: Date): Promise<ProviderMandate> => {
    const { answer, behaviour } = row;
    const shown = presentMandate(row);
    if (answer === 'CANCEL_BY_STORE') return ended(shown, 'CANCELLED', 'RECEIVER', CODES.CANCELLED_BY_STORE);
    if (answer === 'CANCEL') return ended(shown, 'CANCELLED', 'PAYER', CODES.CANCELLED);
    if (answer === 'REFUSE') return ended(shown, 'REJECTED', null, CODES.REFUSED);
    const isPaid =
      row.chargeReference !== null && (await bank.findByReference(row.chargeReference)).status === 'PAID';
    if (isPaid && behaviour === 'REFUSES') return ended(shown, 'REJECTED', null, CODES.REFUSED);
    const isAccepted = answer === 'ACCEPT' || (isPaid && behaviour !== 'IGNORES');
    if (!isAccepted) {
      const expiresAt = row.createdAt.getTime() + ANSWERED_WITHIN_DAYS * DAY_MS;
      return now.getTime() > expiresAt ? { ...shown, status: 'EXPIRED' } : shown;
    }
    const [paid] = behaviour === 'LEAVES' ? await HAS_PAID(database, { id: row.id }) : [];
    if (Number(paid?.count ?? 0) > 0) return ended(shown, 'CANCELLED', 'PAYER', CODES.CANCELLED);
    return { ...shown, status: 'ACTIVE' };
  };

  return {
    ...SANDBOX_MANDATE_TERMS,
    ...sandboxDebits(database, bank, standingOf),
    async create(request: CreateMandate): Promise<MandateAnswer> {
      const id = `RR${request.reference.slice(-27).replace('_', '')}`;
      await insertNew(database, SandboxMandateEntity, newMandate(id, request));
      const row = await em().findOneOrFail(SandboxMandateEntity, { id });
      const mandate = await standingOf(row, request.now);
      if (mandate.status !== 'PENDING' && mandate.status !== 'ACTIVE') return { outcome: 'ENDED', mandate };
      return { outcome: 'CREATED', mandate, brCode: row.brCode };
    },
    async find(id, now) {
      const row = await mandateRow(id);
      return row && standingOf(row, now);
    },
    async cancel(id, now) {
      const row = await mandateRow(id);
      if (row === null) return { outcome: 'PENDING', pollAfterMs: 60_000 };
      const before = await standingOf(row, now);
      if (before.status === 'CANCELLED' && before.end?.by === 'RECEIVER') return { outcome: 'CANCELLED' };
      if (before.status !== 'PENDING' && before.status !== 'ACTIVE')
        return { outcome: 'ENDED', status: before.status };
      await ANSWER(database, { id, answer: 'CANCEL_BY_STORE' });
      return { outcome: 'CANCELLED' };
    },
    // The sandbox lists nothing: it has no other side that acts unseen.
    listMandates: async () => ({ items: [], nextCursor: null }),
    listInstructions: async () => ({ items: [], nextCursor: null }),
    async answer(id, answer) {
      await ANSWER(database, { id, answer });
    },
  };
}

/** What a payer does at their bank, for the API of dev mode. */
export interface SandboxPayerAnswers {
  /** Has no effect on a mandate that has ended. */
  answer(providerMandateId: string, answer: 'ACCEPT' | 'REFUSE' | 'CANCEL'): Promise<void>;
}

function newMandate(id: string, request: CreateMandate): SandboxMandate {
  const { amount, beneficiary, chargeReference } = request;
  const locations = {
    charge: chargeReference === null ? null : `sandbox.recebe.dev/cob/${chargeReference}`,
    mandate: `sandbox.recebe.dev/rec/${id}`,
  };
  const merchant = { merchantName: beneficiary.name, merchantCity: beneficiary.city };
  return {
    id,
    chargeReference,
    behaviour: sandboxDebitBehaviourOf(request.payer.taxId),
    periodicity: request.periodicity,
    amountCents: amount.kind === 'FIXED' ? amount.amountCents : null,
    minimumCents: amount.kind === 'VARIABLE' ? amount.minimumCents : null,
    firstDate: request.firstDate,
    brCode: buildCompositeBrCode(locations, merchant),
    answer: null,
    createdAt: request.now,
  };
}

function presentMandate(row: SandboxMandate): ProviderMandate {
  const { id, amountCents, minimumCents, periodicity, firstDate } = row;
  return {
    providerMandateId: id,
    reference: id,
    status: 'PENDING',
    end: null,
    periodicity,
    firstDate,
    lastDate: null,
    amount: amountCents === null ? { kind: 'VARIABLE', minimumCents } : { kind: 'FIXED', amountCents },
    allowsRetries: true,
  };
}

function ended(
  mandate: ProviderMandate,
  status: 'CANCELLED' | 'REJECTED',
  by: 'PAYER' | 'RECEIVER' | null,
  code: string,
): ProviderMandate {
  return { ...mandate, status, end: { by, code } };
}
