import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { PROVIDER_USES, type ProviderUse } from '../../src/domain/provider-use.ts';
import type { Capabilities } from '../../src/providers/capabilities.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import { usesOf } from '../../src/providers/providers.ts';
import { SANDBOX_CAPABILITIES } from '../../src/providers/sandbox/sandbox-provider.ts';

const DOCS = new URL('../../docs/', import.meta.url);

/** What every provider can do, as its adapter says, in English. */
function providerTable(): string[][] {
  const kinds = Object.entries(PROVIDER_KINDS).flatMap(([name, kind]) =>
    kind.profiles.map((profile) => [`\`${name}\` \`${profile}\``, kind.describe(profile)] as const),
  );
  const heads = [...PROVIDER_USES, 'Refunds', 'Disputes', 'Lists payments', 'Notifications prove by'];
  const rows = [['the sandbox', SANDBOX_CAPABILITIES] as const, ...kinds].map(([name, can]) => [
    name,
    ...PROVIDER_USES.map((use) => useCell(use, can)),
    refundCell(can),
    yes(can.disputes),
    yes(can.listings),
    can.notifications === 'none' ? '–' : can.notifications,
  ]);
  const head = ['Provider', ...heads];
  return [head, head.map(() => '---'), ...rows];
}

/** What is said in it, in Portuguese. */
const PORTUGUESE: Readonly<Record<string, string>> = {
  Provider: 'Provedor',
  PIX: '`PIX`',
  CARD: '`CARD`',
  BOLETO: '`BOLETO`',
  PAYOUT: '`PAYOUT`',
  Refunds: 'Estornos',
  Disputes: 'Disputas',
  'Lists payments': 'Lista pagamentos',
  'Notifications prove by': 'Notificações se provam por',
  'the sandbox': 'o sandbox',
  yes: 'sim',
  'to PIX keys': 'para chaves Pix',
  'to the own account': 'para a própria conta',
  'also in part, at any time': 'também em parte, a qualquer tempo',
  'also in part, for 90 days': 'também em parte, por 90 dias',
};

const yes = (is: boolean) => (is ? 'yes' : '–');

function useCell(use: ProviderUse, can: Capabilities): string {
  const { pixKey, ownAccount } = can.payout;
  if (use === 'PAYOUT' && pixKey !== ownAccount) return pixKey ? 'to PIX keys' : 'to the own account';
  return yes(usesOf(can).includes(use));
}

function refundCell({ refund: { partial, windowDays } }: Capabilities): string {
  const time = windowDays === null ? 'at any time' : `for ${windowDays} days`;
  return `${partial ? 'also in part' : 'in full'}, ${time}`;
}

it.each([
  ['guides', {}],
  ['pt/guides', PORTUGUESE],
] as const)(
  '%s/providers.md says of each what its adapter says: paste the table that this expects',
  (folder, words) => {
    const guide = readFileSync(new URL(`${folder}/providers.md`, DOCS), 'utf8');
    const [, table] = /<!-- providers -->\n([\s\S]*?)\n<!-- \/providers -->/.exec(guide) ?? [];
    const said = (cell: string) => (words as typeof PORTUGUESE)[cell] ?? cell;
    expect(table).toBe(
      providerTable()
        .map((cells) => `| ${cells.map(said).join(' | ')} |`)
        .join('\n'),
    );
  },
);
