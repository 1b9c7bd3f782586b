import fc from 'fast-check';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { openingStep, type Scenario, stepsOf } from './commands.ts';
import { BEGINNING_MS, emptyMoney } from './money.model.ts';
import { type MoneyService, MoneyUser } from './money-service.ts';

/** Sales and their payments, so that most of a scenario moves money. */
const OPENING = { minLength: 3, maxLength: 8, size: 'max' } as const;

/** Enough for payments, refunds, disputes and payouts, and few enough for hundreds of scenarios. */
const MAX_STEPS = 18;

/**
 * Runs the scenario of a seed against a new store. After every step the service must match the model, and
 * at the end the ledger must have no discrepancy.
 * @throws Error with the seed and the shortest scenario that fails in the same way.
 */
export async function runScenario(
  seed: number,
  newStore: () => Promise<MoneyService>,
  canMoveTime: boolean,
): Promise<void> {
  const steps = fc.commands(stepsOf(canMoveTime), { maxCommands: MAX_STEPS, size: 'max' });
  const property = fc.asyncProperty(fc.array(openingStep, OPENING), steps, async (opening, commands) => {
    const service = await newStore();
    const user = new MoneyUser(service);
    const scenario: Scenario = { money: emptyMoney(canMoveTime ? BEGINNING_MS : Date.now()), lines: [] };
    for (const step of opening) if (step.check(scenario)) await step.run(scenario, user);
    await fc.asyncModelRun(() => ({ model: scenario, real: user }), commands);
    const { discrepancies } = await verifyLedger(service.database.em.fork(), service.storeId);
    if (discrepancies.length === 0) return;
    throw new Error(`${scenario.lines.join('\n')}\nledger verify: ${JSON.stringify(discrepancies, null, 2)}`);
  });
  const { failed, counterexample, errorInstance, numShrinks } = await fc.check(property, {
    seed,
    numRuns: 1,
    // The bias of fast-check prefers few and small values, which scenarios have anyway.
    unbiased: true,
  });
  if (!failed) return;
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(
    `seed ${seed} fails (add it to test/model/seeds.ts), shrunk ${numShrinks} times to:\n${counterexample}\n\n${reason}`,
    { cause: errorInstance },
  );
}

/**
 * Runs the scenarios of many seeds in parallel, one at a time on each service.
 * @param onDone called after each passed seed. @throws the error of the first failing scenario.
 */
export async function runScenarios(
  seeds: readonly number[],
  services: readonly { newStore(): Promise<MoneyService> }[],
  { canMoveTime, onDone = () => {} }: { readonly canMoveTime: boolean; readonly onDone?: () => void },
): Promise<void> {
  const left = [...seeds];
  let failed = false;
  const oneAfterTheOther = async ({ newStore }: (typeof services)[number]) => {
    for (let seed = left.shift(); seed !== undefined && !failed; seed = left.shift()) {
      await runScenario(seed, newStore, canMoveTime);
      onDone();
    }
  };
  const runs = services.map((service) =>
    oneAfterTheOther(service).catch((error) => {
      failed = true;
      throw error;
    }),
  );
  const results = await Promise.allSettled(runs);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
