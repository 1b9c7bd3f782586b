import { randomUUID } from 'node:crypto';
import { type SandboxDispute, SandboxDisputeEntity } from '../../database/entities/sandbox-dispute.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Database } from '../../database/orm.ts';
import type { ProviderDispute } from '../provider.ts';

/** The simulated payers' second thoughts: disputes are opened and decided when a developer says so. */
export class SandboxDisputes {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Opens a dispute of a charge's payment. @returns it, or the one that is open already. */
  async open(reference: string, reason: string | null, now: Date): Promise<ProviderDispute> {
    const em = this.#database.em.fork();
    const row = {
      id: randomUUID(),
      reference,
      status: 'OPEN' as const,
      reason,
      openedAt: now,
      changedAt: now,
      toldStatus: null,
    };
    await insertNew(em, SandboxDisputeEntity, row);
    return present(await em.findOneOrFail(SandboxDisputeEntity, { reference, status: 'OPEN' }));
  }

  /**
   * Decides the open dispute of a charge. @returns it, or the last one where it was decided in the same way
   * already; null where there is none to decide so.
   */
  async decide(reference: string, status: 'WON' | 'LOST', now: Date): Promise<ProviderDispute | null> {
    const em = this.#database.em.fork();
    const change = { status, changedAt: now };
    await em.nativeUpdate(SandboxDisputeEntity, { reference, status: 'OPEN' }, change);
    const [last] = await em.find(
      SandboxDisputeEntity,
      { reference },
      { orderBy: { openedAt: 'desc' }, limit: 1, disableIdentityMap: true },
    );
    return last?.status === status ? present(last) : null;
  }

  async find(id: string): Promise<ProviderDispute | null> {
    const em = this.#database.em.fork();
    const row = await em.findOne(SandboxDisputeEntity, { id }, { disableIdentityMap: true });
    return row && present(row);
  }

  /**
   * Disputes whose status was never acknowledged, oldest change first; a real bank would tell them again too.
   */
  async untold(changedBefore: Date, limit: number): Promise<ProviderDispute[]> {
    const rows = await this.#database.em
      .fork()
      .execute<Pick<SandboxDispute, 'id' | 'reference' | 'status' | 'reason'>[]>(
        `select id, reference, status, reason from sandbox_disputes
       where told_status is distinct from status and (changed_at < :changedBefore or changed_at > now()) order by changed_at limit :limit`,
        { changedBefore, limit },
      );
    return rows.map(present);
  }

  /** The service has taken this status in; it need not be told again. */
  async acknowledge({ providerDisputeId, status }: ProviderDispute): Promise<void> {
    const em = this.#database.em.fork();
    await em.nativeUpdate(SandboxDisputeEntity, { id: providerDisputeId }, { toldStatus: status });
  }
}

function present({
  id,
  reference,
  status,
  reason,
}: Pick<SandboxDispute, 'id' | 'reference' | 'status' | 'reason'>) {
  return { providerDisputeId: id, reference, status, reason };
}
