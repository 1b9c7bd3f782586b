import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { CSV_FILES } from '../../src/imports/csv/columns.ts';
import { createTestStore } from '../support/api/app.ts';
import { importFolder, runImportCommand } from '../support/fixtures/import-files.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

let at: TestDatabase;
beforeAll(async () => {
  at = await createTestDatabase();
});
afterAll(() => at.drop());

const guideOf = (language: string) =>
  readFileSync(join(import.meta.dirname, `../../docs/${language}guides/importing.md`), 'utf8');

it.each(['', 'pt/'])(
  'imports the example of the guide with its commands (docs/%sguides)',
  async (language) => {
    const guide = guideOf(language);
    const files = [...guide.matchAll(/^`(\w+)\.csv`:\n\n```csv\n([\s\S]*?)```/gm)];
    expect(files.map(([, name]) => `${name}.csv`)).toEqual(CSV_FILES.map(({ name }) => name));
    const today = saoPauloDateOf(new Date());
    using folder = importFolder(Object.fromEntries(files.map(([, name = '', text = '']) => [name, text])));
    // The guide's days pass; the test's do not.
    const subscriptions = readFileSync(folder.pathOf('subscriptions.csv'), 'utf8');
    const year = Number(today.slice(0, 4)) + 1;
    const payments = readFileSync(folder.pathOf('payments.csv'), 'utf8');
    folder.write({
      subscriptions: subscriptions.replace('2027-02-28,31', `${year}-04-30,31`),
      payments: payments.replace('2026-11-01', addDays(today, -20)),
      cards: [{ card: 'card-77', token: 'sandbox_approved_0123456789abcdef' }],
    });
    const { id: storeId } = await createTestStore(at.database);
    const commands = [...guide.matchAll(/^npx recebe import (.*)$/gm)].map(([, words = '']) => words);
    const runs = [];
    for (const command of commands) {
      const words = command
        .replace(/ --store \S+ --environment dev/, '')
        .replaceAll('./export', folder.path)
        .replaceAll('./report.csv', folder.pathOf('report.csv'));
      runs.push(await runImportCommand({ url: at.url, storeId }, words));
    }
    expect(
      runs.map(({ ended, answer }) => ({ code: ended.code, dry: answer.dryRun, refused: answer.refused })),
    ).toEqual([
      { code: 0, dry: true, refused: [] },
      { code: 0, dry: false, refused: [] },
    ]);
    const subscription = await at.database.em.fork().findOneOrFail(SubscriptionEntity, { storeId });
    expect(subscription).toMatchObject({ cardLastFour: '4242', discount: { code: 'METADE' } });
    expect(saoPauloDateOf(subscription.anchorAt).slice(8)).toBe('31');
  },
);

it.each(['', 'pt/'])('names every column of every file in the guide (docs/%sguides)', (language) => {
  const guide = guideOf(language);
  for (const { name, columns } of CSV_FILES) {
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
    for (const column of Object.keys(columns)) expect(`${name}: ${row}`).toContain(`\`${column}\``);
  }
});
