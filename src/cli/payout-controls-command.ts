import { type Command, Option } from 'commander';
import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';
import { MAX_AMOUNT_CENTS } from '../domain/money.ts';
import { isWeaker, MAX_WAIT_HOURS, type PayoutControls } from '../domain/payout-controls.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import { lockPayoutControls, payoutControlsOf, savePayoutControls } from '../payouts/payout-controls.ts';
import type { CliContext } from './context.ts';
import { table } from './present.ts';
import { UsageError } from './usage-error.ts';

type Limit = Exclude<keyof PayoutControls, 'requiresSecondFactor'>;
type Given = { readonly [Name in Limit]?: string };

interface Options extends Given {
  readonly environment: 'prod' | 'dev';
  readonly yes?: boolean;
}

const OFF = 'off';

/** Each control: its flag, its effect, and the numbers it accepts besides `off`. */
const CONTROLS = {
  maxPayoutCents: {
    flag: '--max-payout-cents',
    what: 'largest payout or transfer',
    least: 1,
    most: MAX_AMOUNT_CENTS,
  },
  maxDayCents: {
    flag: '--max-day-cents',
    what: 'total per day, in São Paulo time',
    least: 1,
    most: MAX_AMOUNT_CENTS,
  },
  maxPayeeDayCents: {
    flag: '--max-payee-day-cents',
    what: 'total per day and PIX key',
    least: 1,
    most: MAX_AMOUNT_CENTS,
  },
  approvalAboveCents: {
    flag: '--approval-above-cents',
    what: 'larger payouts need approval by a second person or key; 0 means all payouts',
    least: 0,
    most: MAX_AMOUNT_CENTS,
  },
  newPayeeWaitHours: {
    flag: '--new-payee-wait-hours',
    what: 'how long transfers to a new PIX key wait',
    least: 1,
    most: MAX_WAIT_HOURS,
  },
  newMemberWaitHours: {
    flag: '--new-member-wait-hours',
    what: 'how long a member waits before sending money, after another member allowed it',
    least: 1,
    most: MAX_WAIT_HOURS,
  },
} as const satisfies Record<Limit, { flag: string; what: string; least: number; most: number }>;

const LIMITS = Object.keys(CONTROLS) as Limit[];

/** `stores payout-controls`: shows the controls, and changes those that are given. */
export function addPayoutControlsCommand(stores: Command, context: CliContext): void {
  const command = stores
    .command('payout-controls')
    .description(
      "Limits and approval rules for a store's payouts; all are off by default, except the wait for new members in prod",
    )
    .argument('<id>', 'the store')
    .addOption(
      new Option('--environment <environment>', 'real or simulated payments')
        .choices(['prod', 'dev'])
        .default('prod'),
    )
    .option('--yes', 'skips the confirmation');
  for (const limit of LIMITS)
    command.option(`${CONTROLS[limit].flag} <number>`, `${CONTROLS[limit].what}, or ${OFF}`);
  command.action((id: string, options: Options) => run(context, id as StoreId, options));
}

async function run(context: CliContext, storeId: StoreId, { environment, yes = false, ...given }: Options) {
  const owner = { storeId, devMode: environment === 'dev' };
  const changes = changesIn(given);
  const names = Object.keys(changes) as Limit[];
  const before = await context.withDatabase(async (em) => {
    await requireStore(em, storeId);
    return payoutControlsOf(em, owner);
  });
  let after = { ...before, ...changes };
  if (names.length > 0) {
    if (isWeaker(before, after))
      await context.output.confirm(
        `Money may leave ${storeId} that was refused or had to wait until now.`,
        yes,
      );
    const done = await context.audited(
      (em, now) => change(em, owner, changes, now),
      ({ locked, changed }) => {
        const differing = names.filter((name) => locked[name] !== changed[name]);
        if (differing.length === 0) return [];
        const details = Object.fromEntries(differing.map((name) => [name, changed[name]]));
        return [{ ...owner, action: 'stores/payout-controls', subjectId: storeId, details }];
      },
    );
    after = done.changed;
  }
  const { requiresSecondFactor: _, ...shown } = after;
  const rows = LIMITS.map((name) => [CONTROLS[name].flag.slice(2), String(after[name] ?? OFF)]);
  context.output.answer({ storeId, environment, ...shown }, table(['CONTROL', 'VALUE'], rows, ''));
}

/** Applies the change to the current controls: an owner may have changed others while the operator was confirming. */
async function change(
  em: Em,
  owner: StoreEnvironment,
  changes: Partial<PayoutControls>,
  now: Date,
): Promise<{ readonly locked: PayoutControls; readonly changed: PayoutControls }> {
  const locked = await lockPayoutControls(em, owner);
  const changed = { ...locked, ...changes };
  await savePayoutControls(em, owner, changed, now);
  return { locked, changed };
}

async function requireStore(em: Em, id: StoreId): Promise<void> {
  if ((await em.count(StoreEntity, { id })) === 0)
    throw new UsageError(`there is no store ${id}; see "stores list"`);
}

/** @throws UsageError that names the option and its valid values. */
function changesIn(given: Given): Partial<Record<Limit, number | null>> {
  const changes: Partial<Record<Limit, number | null>> = {};
  for (const limit of LIMITS) {
    const text = given[limit];
    if (text === undefined) continue;
    const { flag, least, most } = CONTROLS[limit];
    const value = text === OFF ? null : Number(text);
    if (value !== null && !(/^\d+$/.test(text) && value >= least && value <= most))
      throw new UsageError(`${flag}: must be a whole number between ${least} and ${most}, or ${OFF}`);
    changes[limit] = value;
  }
  return changes;
}
