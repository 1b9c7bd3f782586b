import { describe, expect, it } from '@jest/globals';
import { changesSomething } from '../../src/api/frame/route.ts';
import { API_ROUTES } from '../../src/app.ts';
import { ACTION_WORDS } from '../../src/web/dashboard/audit/action-words.ts';

const SELLS = 'sells: in the events; a line would make the sales of a store wait for each other';
const SIMULATES = 'does in dev mode what a payer, a bank or time does; moves no money';

/** Routes that change something and that API keys leave no line for, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '/transparents/create': SELLS,
  '/checkouts/create': SELLS,
  '/checkouts/one-click': SELLS,
  '/payment-links/create': SELLS,
  '/subscriptions/create': SELLS,
  '/v1/billing/create': SELLS,
  '/v1/pixQrCode/create': SELLS,
  '/customers/create': 'happens with each sale: in the list of customers',
  '/v1/customer/create': 'happens with each sale: in the list of customers',
  '/customer-portal/create': 'the link shows nothing: its customer signs in with a code',
  '/card-tokens/create': 'called by browsers with a public key; the token ends after 60 seconds',
  '/subscriptions/record-usage': 'happens for each unit sold: in the records of usage',
  '/subscriptions/preview': 'stores nothing',
  '/invoices/nfse/report': 'repeats what the tax authority has answered: in the events',
  '/transparents/simulate-payment': SIMULATES,
  '/checkouts/simulate-payment': SIMULATES,
  '/v1/pixQrCode/simulate-payment': SIMULATES,
  '/dev/mandates/answer': SIMULATES,
  '/dev/disputes/open': SIMULATES,
  '/dev/disputes/win': SIMULATES,
  '/dev/disputes/lose': SIMULATES,
  '/dev/cards/replace': SIMULATES,
  '/dev/cards/change': SIMULATES,
  '/dev/reminders/publish': SIMULATES,
  '/dev/refunds/request': SIMULATES,
};

const changing = API_ROUTES.filter(changesSomething);
const audited = API_ROUTES.filter((route) => route.audited);

describe('routes', () => {
  it('audits every route that changes something, except for known ones', () => {
    const silent = changing.filter((route) => !route.audited).map(({ path }) => path);
    expect(new Set(silent)).toEqual(new Set(Object.keys(EXCEPTIONS)));
  });

  it('audits no route that only reads', () => {
    expect(audited.filter((route) => !changesSomething(route))).toEqual([]);
  });

  it.each(audited.map(({ path }) => path.slice(1)))('describes the action %s in words', (action) => {
    expect(ACTION_WORDS).toHaveProperty([action]);
  });
});
