import type { ServingAccount } from '../accounts/account-uses.ts';
import type { ListedAccount } from '../accounts/accounts.ts';
import type { ApiKey } from '../database/entities/api-key.ts';
import type { Store } from '../database/entities/store.ts';
import { withoutBidiControls } from '../domain/bidi.ts';
import { formatSignedBrl } from '../domain/money.ts';
import { PERMISSIONS, READING_PERMISSIONS } from '../domain/permission.ts';
import { formatTaxId } from '../domain/tax-id.ts';

/** A store as `--json` prints it. */
export function storeJson(store: Store) {
  return { ...store, taxId: store.taxId === null ? null : formatTaxId(store.taxId) };
}

/** A key as `--json` prints it: without its hash. */
export function keyJson({ hash: _, devMode, ...key }: ApiKey) {
  return { ...key, environment: devMode ? 'dev' : 'prod' };
}

/** How to keep the text of a new key. */
export function keepNote({ publicText }: Pick<ApiKey, 'publicText'>): string {
  return publicText === null
    ? 'Save it now: only its hash is stored, and it cannot be shown again.'
    : 'Put it into your pages: it can only exchange cards for tokens. "keys list --json" shows it again.';
}

export function storeTable(stores: readonly Store[]): string {
  const rows = stores
    .map(storeJson)
    .map((store) => [store.id, store.name, store.city, store.taxId ?? '-', day(store.createdAt)]);
  return table(
    ['ID', 'NAME', 'CITY', 'TAX ID', 'CREATED'],
    rows,
    'There is no store yet; see "stores create --help".',
  );
}

export function keyTable(keys: readonly ApiKey[]): string {
  const rows = keys.map((key) => [
    key.id,
    key.devMode ? 'dev' : 'prod',
    `…${key.lastFour}`,
    day(key.createdAt),
    key.lastUsedAt === null ? 'never' : key.lastUsedAt.toISOString().slice(0, 16),
    key.expiresAt === null ? '-' : key.expiresAt.toISOString().slice(0, 16),
    key.revokedAt === null ? '-' : day(key.revokedAt),
    key.allowedNetworks?.join(',') ?? 'anywhere',
    permissionsText(key),
    key.description,
  ]);
  const headings = [
    'ID',
    'ENV',
    'KEY',
    'CREATED',
    'LAST USED',
    'EXPIRES',
    'REVOKED',
    'FROM',
    'PERMISSIONS',
    'DESCRIPTION',
  ];
  return table(headings, rows, 'This store has no key yet; see "keys create --help".');
}

/** An account as `--json` prints it: without its secrets. */
export function accountJson({ account, uses, ...money }: ServingAccount | ListedAccount) {
  const { secret: _, secretKeyId: __, kind, ...shown } = account;
  return { ...shown, provider: kind, methods: uses, ...money };
}

export function accountTable(accounts: readonly ListedAccount[]): string {
  const rows = accounts.map(({ account, uses, heldCents, availableCents }) => [
    account.id,
    account.storeId,
    `${account.kind}/${account.profile}`,
    uses.join(',') || '-',
    formatSignedBrl(heldCents),
    formatSignedBrl(availableCents),
    account.certificateEndsAt === null ? '-' : day(account.certificateEndsAt),
    day(account.createdAt),
    account.rotatedAt === null ? '-' : day(account.rotatedAt),
    account.removedAt === null ? '-' : day(account.removedAt),
  ]);
  const headings = [
    'ID',
    'STORE',
    'PROVIDER',
    'SERVES',
    'HOLDS',
    'CAN SEND',
    'CERT ENDS',
    'ADDED',
    'ROTATED',
    'REMOVED',
  ];
  return table(headings, rows, 'There is no account yet; see "accounts add --help".');
}

function permissionsText({ permissions, readOnly, publicText }: ApiKey): string {
  if (publicText !== null) return 'public';
  if (readOnly) {
    const all = READING_PERMISSIONS.every((name) => permissions.includes(name));
    return all ? 'read-only' : `read-only: ${permissions.join(',')}`;
  }
  return PERMISSIONS.every((name) => permissions.includes(name)) ? 'all' : permissions.join(',');
}

function day(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** Rows in columns as wide as their widest text, under headings; a sentence if there are no rows. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): string {
  if (rows.length === 0) return none;
  const lines = [headings, ...rows.map((row) => row.map(harmless))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A text written by others, such as a member's name, without characters that control the operator's terminal. */
function harmless(text: string): string {
  return withoutBidiControls(text).replace(/\p{Cc}/gu, '\u{fffd}');
}
