import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FaultPlanError, readPlan } from '../../../scripts/psp/faults/plan.ts';
import { Faults } from '../../../scripts/psp/faults.ts';
import { type Psp, startPsp } from '../../../scripts/psp/start-psp.ts';

const folder = mkdtempSync(join(tmpdir(), 'recebe-plan-'));
let psp: Psp;
beforeAll(async () => {
  psp = await startPsp();
});
afterEach(() => psp.faults.clear());
afterAll(async () => {
  await psp.close();
  rmSync(folder, { recursive: true });
});

const WRONG = {
  seed: -1,
  rules: [
    { fault: { kind: 'DELAY', ms: 'long' }, on: 'PUT cob', time: 3 },
    { fault: { kind: 'EXPLODE' } },
    { fault: { kind: 'LISTINGS_LAG', seconds: 5 }, on: ['GET pixs', 'PUT cob'] },
    { fault: { kind: 'LOSE_WEBHOOKS' }, on: 'webhooks', times: 0, chance: 2 },
  ],
};
const WRONG_FIELDS = [
  'rules.0',
  'rules.0.fault.ms',
  'rules.1.fault.kind',
  'rules.2.on',
  'rules.3.chance',
  'rules.3.on',
  'rules.3.times',
  'seed',
];

const fieldsOf = (plan: unknown) => {
  try {
    readPlan(plan);
    return [];
  } catch (error) {
    return error instanceof FaultPlanError ? error.fields.map(({ field }) => field).sort() : error;
  }
};

describe('a fault plan', () => {
  it('names every field that is wrong, and says what would be right', () => {
    expect(fieldsOf(WRONG)).toEqual(WRONG_FIELDS);
    expect(() => readPlan(WRONG)).toThrow('rules.1.fault.kind: must be one of DELAY, ');
    expect(() => readPlan(WRONG)).toThrow('rules.2.on: LISTINGS_LAG happens to GET cobs, ');
    expect(() => readPlan(WRONG)).toThrow('rules.3.times: must be a whole number from 1, or "ALWAYS"');
    expect(() => readPlan([])).toThrow('plan: ');
  });

  it('keeps the previous fault plan if the new one is invalid', () => {
    const faults = new Faults();
    faults.order({ fault: { kind: 'LOSE_WEBHOOKS' } });
    expect(() => faults.follow(WRONG)).toThrow(FaultPlanError);
    expect(faults.report().waiting).toHaveLength(1);
  });

  it('makes the same choices for the same seed, and others for another', () => {
    const choices = (seed: number) => {
      const faults = new Faults();
      const fault = { kind: 'DROP_AFTER_EFFECT' };
      faults.follow({ seed, rules: [{ fault, on: 'PUT cob', times: 'ALWAYS', chance: 0.3 }] });
      return Array.from({ length: 200 }, () => faults.take('DROP_AFTER_EFFECT', 'PUT cob') !== null);
    };
    expect(choices(7)).toEqual(choices(7));
    expect(choices(7)).not.toEqual(choices(8));
    const taken = choices(7).filter(Boolean).length;
    expect(taken).toBeGreaterThan(35);
    expect(taken).toBeLessThan(85);
  });

  it('lets operations pass first, then happens so often, and ends with its time', () => {
    let nowMs = 0;
    const faults = new Faults(() => nowMs);
    const taken = () => faults.take('REFUND_HANGS', 'PUT refund') !== null;
    faults.order({ fault: { kind: 'REFUND_HANGS' }, skip: 2, times: 2 });
    expect([taken(), taken(), taken(), taken(), taken()]).toEqual([false, false, true, true, false]);
    faults.order({ fault: { kind: 'REFUND_HANGS' }, forSeconds: 10 });
    expect([taken(), taken()]).toEqual([true, true]);
    nowMs = 10_000;
    expect(taken()).toBe(false);
    expect(faults.report()).toMatchObject({ waiting: [], happened: { 'REFUND_HANGS PUT refund': 4 } });
  });
});

describe('the bank in a box', () => {
  const start = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/psp/main.ts', '--folder', folder, ...args], { encoding: 'utf8' });
  const post = (body: unknown) =>
    fetch(`${psp.adminUrl}/faults`, { method: 'POST', body: JSON.stringify(body) });

  it('takes a rule or a plan by HTTP, and shows what waits', async () => {
    await post({ fault: { kind: 'LOSE_WEBHOOKS' }, times: 3 });
    await post({ seed: 9, rules: [{ fault: { kind: 'EXPIRE_TOKENS' }, times: 'ALWAYS' }] });
    expect(await (await fetch(`${psp.adminUrl}/faults`)).json()).toMatchObject({
      seed: 9,
      waiting: [{ fault: { kind: 'EXPIRE_TOKENS' }, left: 'ALWAYS' }],
    });
    await fetch(`${psp.adminUrl}/faults/clear`, { method: 'POST' });
    expect(psp.faults.report().waiting).toEqual([]);
  });

  it('answers 422 with the wrong fields of a plan', async () => {
    const answer = await post(WRONG);
    expect(answer.status).toBe(422);
    const { fields } = (await answer.json()) as { fields: { field: string }[] };
    expect(new Set(fields.map(({ field }) => field))).toEqual(new Set(WRONG_FIELDS));
  });

  it('does not start with a wrong file or rule, and says why', () => {
    const file = join(folder, 'plan.json');
    writeFileSync(file, JSON.stringify(WRONG));
    expect(start('--faults', file)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('rules.1.fault.kind: must be one of'),
    });
    expect(start('--fault', '{"fault":{"kind":"DELAY"}}')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('rules.0.fault.ms: '),
    });
    expect(start('--fault', 'DELAY')).toMatchObject({
      stderr: expect.stringContaining('--fault: must be JSON'),
    });
  });

  it('prints its usage, and names a wrong option or a taken port', () => {
    expect(start('--profile', 'nowhere')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--profile: must be one of the names below\nusage: npm run psp'),
    });
    const taken = new URL(psp.adminUrl).port;
    expect(start('--port', '0', '--admin-port', taken)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`port ${taken} is taken`),
    });
    expect(start('--help')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('usage: npm run psp'),
    });
  });
});
