import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { atEnd, runAndStop, say } from '../../embedded/run-and-stop.ts';
import { installLocalstripe } from '../../psp/stripe/install-localstripe.ts';
import type { Verdict } from '../verdict.ts';
import { byBox } from './by-box.ts';
import { byLocalstripe } from './by-localstripe.ts';
import { byStripeMock } from './by-stripe-mock.ts';
import { installStripeMock } from './install.ts';

const FOLDER = resolve(import.meta.dirname, '../../../conformance/stripe');

/** `npm run conformance:stripe`: the Stripe adapter, judged by programs that others wrote. */
async function main(): Promise<void> {
  const startedMs = performance.now();
  const cwd = mkdtempSync(join(tmpdir(), 'recebe-stripe-'));
  atEnd(() => rmSync(cwd, { recursive: true, force: true }));
  const wrong: string[] = [];
  const judge = async (
    who: string,
    program: string | null,
    judged: (program: string) => Promise<readonly Verdict[]>,
  ) => {
    if (program === null) return say(`-     ${who} cannot be installed here and was left out`);
    for (const verdict of await judged(program)) {
      say(`${verdict.wrong.length === 0 ? 'ok   ' : 'WRONG'} ${who}: ${verdict.what}`);
      for (const each of verdict.wrong) say(`      ${each}`);
      wrong.push(...verdict.wrong);
    }
  };
  await judge('stripe-mock', installStripeMock(FOLDER), async (program) => [
    await byStripeMock(program, cwd),
  ]);
  const localstripe = installLocalstripe();
  await judge('localstripe', localstripe, (program) => byLocalstripe(program, cwd));
  await judge('the box', localstripe, (program) => byBox(program, cwd));
  say(`${wrong.length} violations in ${Math.round((performance.now() - startedMs) / 1_000)} s`);
  if (wrong.length > 0) throw new Error('The adapter does not keep to Stripe.');
}

await runAndStop(main);
