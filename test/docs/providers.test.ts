import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { PROVIDER_USES, type ProviderUse } from '../../src/domain/provider-use.ts';
import type { Capabilities } from '../../src/providers/capabilities.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import { SANDBOX_CAPABILITIES } from '../../src/providers/sandbox/sandbox-provider.ts';

const DOCS = new URL('../../docs/', import.meta.url);

/** The capabilities of every provider, from its adapter, in English. */
function providerTable(): string[][] {
  const kinds = Object.entries(PROVIDER_KINDS).flatMap(([name, kind]) =>
    kind.profiles.map((profile) => [`\`${name}\` \`${profile}\``, kind.describe(profile)] as const),
  );
  const uses = PROVIDER_USES.map((use) => `\`${use}\``);
  const heads = [...uses, 'Refunds', 'Disputes', 'Lists payments', 'Proof of notifications'];
  const rows = [['the sandbox', SANDBOX_CAPABILITIES] as const, ...kinds].map(([name, can]) => [
    name,
    ...PROVIDER_USES.map((use) => useCell(use, can)),
    refundCell(can),
    yes(can.disputes),
    yes(can.listings),
    can.notifications ?? '–',
  ]);
  const head = ['Provider', ...heads];
  return [head, head.map(() => '---'), ...rows];
}

/** The table's texts in Portuguese. */
const PORTUGUESE: Readonly<Record<string, string>> = {
  Provider: 'Provedor',
  Refunds: 'Estornos',
  Disputes: 'Disputas',
  'Lists payments': 'Lista pagamentos',
  'Proof of notifications': 'Prova das notificações',
  'the sandbox': 'o sandbox',
  yes: 'sim',
  'to Pix keys': 'para chaves Pix',
  'to the own account': 'para a própria conta',
  'full, for 90 days': 'total, por 90 dias',
  'full or partial, at any time': 'total ou parcial, sem prazo',
  'full or partial, for 90 days': 'total ou parcial, por 90 dias',
};

const yes = (is: boolean) => (is ? 'yes' : '–');

const CAPABILITY_OF_USE = { PIX: 'pix', CARD: 'card', BOLETO: 'boleto', PAYOUT: 'payout' } as const;

function useCell(use: ProviderUse, can: Capabilities): string {
  const { payout } = can;
  if (use === 'PAYOUT' && payout !== null && payout.pixKey !== payout.ownAccount)
    return payout.pixKey ? 'to Pix keys' : 'to the own account';
  return yes(can[CAPABILITY_OF_USE[use]] !== null);
}

function refundCell({ refund: { partial, windowDays } }: Capabilities): string {
  const time = windowDays === null ? 'at any time' : `for ${windowDays} days`;
  return `${partial ? 'full or partial' : 'full'}, ${time}`;
}

it.each([
  ['guides', {}],
  ['pt/guides', PORTUGUESE],
] as const)(
  'lists what each adapter supports in %s/providers.md; paste the expected table',
  (folder, words) => {
    const guide = readFileSync(new URL(`${folder}/providers.md`, DOCS), 'utf8');
    const [, table] = /<!-- providers -->\n([\s\S]*?)\n<!-- \/providers -->/.exec(guide) ?? [];
    const translated = (cell: string) => (words as typeof PORTUGUESE)[cell] ?? cell;
    expect(table).toBe(
      providerTable()
        .map((cells) => `| ${cells.map(translated).join(' | ')} |`)
        .join('\n'),
    );
  },
);
