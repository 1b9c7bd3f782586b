import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installPython } from '../embedded/python-packages.ts';
import { atEnd, runAndStop, say } from '../embedded/run-and-stop.ts';
import { listening } from '../psp/local-server.ts';
import { byDocument } from './by-document.ts';
import { byEfi } from './by-efi.ts';
import { byBrbank, byPypix, bySchemathesis } from './by-python.ts';
import { writeCorrectedDocument } from './document.ts';
import { installNode } from './install.ts';
import { mandatesByEfi, mandatesByPypix } from './mandates-by-clients.ts';
import type { Verdict } from './verdict.ts';

const USAGE = `usage: npm run conformance -- --spec FILE
  --spec FILE    Banco Central's document: openapi.yaml of github.com/bacen/pix-api, version 2.9.0`;

const CONFORMANCE = resolve(import.meta.dirname, '../../conformance');

/** `npm run conformance`: the adapter and the bank in a box, judged by parts that others wrote. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { spec: { type: 'string' } } });
  if (values.spec === undefined || !existsSync(values.spec)) throw new Error(USAGE);
  const startedMs = performance.now();
  installNode(CONFORMANCE);
  const python = installPython(CONFORMANCE);

  const folder = mkdtempSync(join(tmpdir(), 'recebe-conformance-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const document = join(folder, 'openapi.json');
  const corrections = writeCorrectedDocument(values.spec, CONFORMANCE, document);
  const webhookUrl = await takesAnything();

  const wrong: string[] = [];
  const judge = async (who: string, judged: Promise<Verdict>) => {
    const { what, wrong: found } = await judged;
    say(`${found.length === 0 ? 'ok   ' : 'WRONG'} ${who}: ${what}`);
    for (const each of found) say(`      ${each}`);
    wrong.push(...found);
  };
  await judge(
    `Banco Central's document, ${corrections} corrections`,
    byDocument(CONFORMANCE, document, webhookUrl),
  );
  await judge('schemas of sdk-node-apis-efi', byEfi(CONFORMANCE, webhookUrl));
  await judge('sdk-node-apis-efi, Pix Automático', mandatesByEfi(CONFORMANCE, webhookUrl));
  if (python === null) say('-     Python is not here: schemathesis, brbank and pypix-api were left out');
  else {
    await judge('schemathesis', bySchemathesis(python, document));
    await judge('brbank', byBrbank(python, CONFORMANCE, webhookUrl));
    await judge('pypix-api', byPypix(python, CONFORMANCE, webhookUrl));
    await judge('pypix-api, Pix Automático', mandatesByPypix(python, CONFORMANCE, webhookUrl));
  }
  say(`${wrong.length} violations in ${Math.round((performance.now() - startedMs) / 1_000)} s`);
  if (wrong.length > 0) throw new Error('The adapter or the bank in a box does not keep to it.');
}

/** The address for notifications. */
async function takesAnything(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await listening(server, 0);
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/notifications`;
}

await runAndStop(main);
