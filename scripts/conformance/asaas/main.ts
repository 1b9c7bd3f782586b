import { resolve } from 'node:path';
import { installPython } from '../../embedded/python-packages.ts';
import { runAndStop, say } from '../../embedded/run-and-stop.ts';
import { installNode } from '../install.ts';
import type { Verdict } from '../verdict.ts';
import { byBrazilianUtils } from './by-brazilian-utils.ts';
import { byClients } from './by-clients.ts';

const FOLDER = resolve(import.meta.dirname, '../../../conformance/asaas');

/** `npm run conformance:asaas`: the Asaas adapter and the box, judged by programs that others wrote. */
async function main(): Promise<void> {
  const startedMs = performance.now();
  const wrong: string[] = [];
  const report = (who: string, verdict: Verdict) => {
    say(`${verdict.wrong.length === 0 ? 'ok   ' : 'WRONG'} ${who}: ${verdict.what}`);
    for (const each of verdict.wrong) say(`      ${each}`);
    wrong.push(...verdict.wrong);
  };
  const leftOut = (who: string) => say(`-     ${who} cannot be installed here and was left out`);
  const python = ifAny(() => installPython(FOLDER));
  if (python === null) leftOut('brbank, asaas');
  else for (const [who, verdict] of await byClients(python, FOLDER)) report(who, verdict);
  if (ifAny(() => installNode(FOLDER) ?? true) === null) leftOut('@brazilian-utils/brazilian-utils');
  else report('@brazilian-utils/brazilian-utils', await byBrazilianUtils(FOLDER));
  say(`${wrong.length} violations in ${Math.round((performance.now() - startedMs) / 1_000)} s`);
  if (wrong.length > 0) throw new Error('The adapter or the box does not keep to Asaas.');
}

function ifAny<Installed>(install: () => Installed): Installed | null {
  try {
    return install();
  } catch {
    return null;
  }
}

await runAndStop(main);
