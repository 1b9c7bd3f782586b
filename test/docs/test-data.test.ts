import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parsePixKey } from '../../src/domain/pix-key.ts';
import { parseTaxId } from '../../src/domain/tax-id.ts';
import { TEST_CARDS } from '../../src/providers/sandbox/sandbox-cards.ts';
import {
  FAILING_KEYS,
  FAILING_PAYOUT_CENTS,
  RETURNING_KEY,
  RETURNING_PAYOUT_CENTS,
  SLOW_KEY,
} from '../../src/providers/sandbox/sandbox-transfers.ts';

/** The reason of the decline that is not the outcome's own name. */
const REASONS = new Map([
  ['confirm', 'authentication_failed'],
  ['once', 'card_declined'],
  ['lapses', 'insufficient_funds'],
]);

describe.each(['guides', 'pt/guides'])('test-data.md in docs/%s', (folder) => {
  const guide = readFileSync(new URL(`../../docs/${folder}/test-data.md`, import.meta.url), 'utf8');
  const rows = guide.split('\n').filter((line) => line.startsWith('|'));
  const rowOf = (text: string) => rows.find((row) => row.includes(`\`${text}\``)) ?? '';

  it.each([...TEST_CARDS])('lists the card %s with its outcome %s', (number, outcome) => {
    const row = rowOf(number.replace(/(?<=\d)(?=(?:\d{4})+$)/g, ' '));
    const reason = REASONS.get(outcome) ?? outcome;
    expect(row).toMatch(outcome === 'approved' ? /\| (?:approved|aprovado) \|$/ : `\`${reason}\``);
  });

  it('lists every PIX key and payout amount with a special outcome', () => {
    for (const [key, reason] of FAILING_KEYS) expect(rowOf(key)).toContain(`\`${reason}\``);
    expect(rowOf(`${FAILING_PAYOUT_CENTS}`)).toContain('`account_closed`');
    for (const returned of [RETURNING_KEY, `${RETURNING_PAYOUT_CENTS}`])
      expect(rowOf(returned)).toContain('REFUNDED');
    expect(rowOf(SLOW_KEY)).toContain('PENDING');
  });

  it('calls a document invalid exactly if the API refuses it', () => {
    const documents = rows
      .filter((row) => /\((?:CPF|CNPJ)\)|CNPJ|CPF/.test(row) && !row.startsWith('| `C'))
      .flatMap((row) => [...row.matchAll(/`([\dA-Z./-]{11,})`/g)].map(([, text = '']) => ({ row, text })));
    expect(documents.length).toBeGreaterThanOrEqual(6);
    for (const { row, text } of documents)
      expect([text, parseTaxId(text) === null]).toEqual([text, /inv[aá]lid/.test(row)]);
  });

  it('gives a valid example of each type of PIX key', () => {
    for (const type of ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'RANDOM'] as const) {
      const [, example = ''] = new RegExp(`^\\| \`${type}\` \\| \`([^\`]+)\` \\|$`, 'm').exec(guide) ?? [];
      expect([type, parsePixKey(type, example)]).toEqual([type, expect.any(String)]);
    }
  });
});
