import { issueKey } from '../../../src/cli/keys.ts';
import { createStore } from '../../../src/cli/stores.ts';
import { ORIGINAL_EVENT_NAMES } from '../../../src/domain/event.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import { PERMISSIONS } from '../../../src/domain/permission.ts';
import type { Cluster } from '../cluster.ts';
import type { Endpoints } from '../endpoints.ts';
import { Integrator, type Tally } from '../integrator.ts';
import type { BankDoor } from './door.ts';

/** A charge that a client was given, and what the client knows of it. */
export interface BankedCharge {
  readonly id: string;
  readonly amountCents: number;
  /** The bank has confirmed the payment to its payer before anything else could end the charge. */
  isPaid: boolean;
}

/** A store that takes real money at the bank in a box, and what its clients know. What is true the bank's books say. */
export interface BankShop {
  readonly storeId: StoreId;
  readonly integrator: Integrator;
  readonly door: BankDoor;
  readonly charges: BankedCharge[];
  /** Refunds that were promised. */
  readonly refundIds: Set<string>;
  readonly payouts: { readonly id: string; readonly amountCents: number }[];
  /** External ids of payouts that were refused after a try without an answer, which may yet be carried out. */
  readonly refusedInDoubt: Set<string>;
  readonly contradictions: string[];
}

const OPT_IN_NAMES = [
  ...ORIGINAL_EVENT_NAMES,
  'refund.failed',
  'payment.returned',
  'payout.returned',
  'transfer.returned',
];
const MANNERS = ['steady', 'erratic'] as const;

/** Opens it, with an endpoint of each manner. It has no account yet. */
export async function openBankShop(
  { database, apiUrls }: Cluster,
  endpoints: Endpoints,
  door: BankDoor,
  tally: Tally,
  givesUp: AbortSignal,
): Promise<BankShop> {
  const em = database.em.fork();
  const now = new Date();
  const { id } = await createStore(em, { name: 'Loja do Banco', city: 'SANTOS' }, now);
  const storeId = id as StoreId;
  const key = { storeId, devMode: false, description: 'chaos', permissions: PERMISSIONS };
  const { keyText } = await issueKey(em, key, now);
  const integrator = new Integrator(apiUrls, keyText, tally, givesUp);
  for (const manner of MANNERS) {
    const { url: endpoint, secret } = endpoints.add(manner, storeId);
    const webhook = { name: manner, endpoint, secret, events: OPT_IN_NAMES };
    const { data, code } = await integrator.post('webhooks/create', webhook);
    if (data === null) throw new Error(`webhooks/create → ${code}`);
  }
  const known = { charges: [], refundIds: new Set<string>(), payouts: [], refusedInDoubt: new Set<string>() };
  return { storeId, integrator, door, ...known, contradictions: [] };
}
