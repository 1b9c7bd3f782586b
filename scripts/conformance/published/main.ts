import { createTestApp, TEST_CONFIG } from '../../../test/support/api/app.ts';
import { createMoneyApp } from '../../../test/support/api/money-app.ts';
import { startTestServers } from '../../../test/support/servers/test-servers.ts';
import { atEnd, runAndStop, say } from '../../embedded/run-and-stop.ts';
import { broken, type Case, judge } from './case.ts';
import { CASES } from './cases.ts';
import { replay, type Services, type Way } from './replay.ts';
import { openShop, type Shop } from './shop.ts';

/**
 * `npm run conformance:published`: replays the examples of AbacatePay's documentation with its published client. It fails if an
 * example does not work, and if an example works although its case says that Recebe differs. Each answer is also checked once
 * with its data removed: a case that accepts that checks nothing.
 */
async function main(): Promise<void> {
  const servers = await startTestServers(() => {});
  atEnd(servers.stop);
  Object.assign(process.env, servers.environment);
  const usual = await createMoneyApp();
  atEnd(usual.close);
  const config = { ...TEST_CONFIG, errorCompatibility: true, allowPrivateEndpoints: false };
  const compatible = await createTestApp({ config }, { database: usual.database });
  atEnd(compatible.close);
  const shop = await openShop(usual.api);
  const ways: Way[] = [];
  let wrongCount = 0;
  for (const each of CASES) {
    const { way, wrong } = await outcomeOf({ usual, compatible }, shop, each);
    ways.push(way);
    wrongCount += wrong.length;
    for (const line of wrong) say(`WRONG ${each.page}: ${each.fact}: ${line}`);
  }
  const differing = CASES.filter(({ differs }) => differs !== undefined);
  say(`${differing.length} facts that Recebe answers otherwise, with the reason:`);
  for (const { page, fact, differs } of differing) say(`-     ${page}: ${fact}: ${differs}`);
  const byClient = ways.filter((way) => way !== 'HTTP').length;
  say(
    `${CASES.length} facts of ${new Set(CASES.map(({ page }) => page)).size} pages, ${byClient} of them by @abacatepay/rest: ` +
      `${CASES.length - differing.length} expected to be met, ${wrongCount} violations`,
  );
  if (wrongCount > 0) throw new Error('Answers are not as the pages say.');
}

async function outcomeOf(
  services: Services,
  shop: Shop,
  each: Case,
): Promise<{ readonly way: Way; readonly wrong: readonly string[] }> {
  const answer = await replay(services, each.send(shop));
  const found = judge(each, shop, answer);
  if (each.differs !== undefined)
    return { way: answer.way, wrong: found.length > 0 ? [] : [`is met, so there is no difference any more`] };
  const accepts =
    judge(each, shop, broken(answer)).length === 0 ? ['accepts an answer that says nothing'] : [];
  return { way: answer.way, wrong: [...found, ...accepts] };
}

await runAndStop(main);
