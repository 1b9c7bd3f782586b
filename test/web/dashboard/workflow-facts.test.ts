import { expect, it } from '@jest/globals';
import type { Visit } from '../../../src/web/dashboard/frame/visit.ts';
import { workflowFacts } from '../../../src/web/dashboard/payments/workflow-facts.ts';

/** A visit while Temporal answers with this state. */
function visitWith(
  describe: () => Promise<{ readonly status: { readonly name: string } }>,
  temporalUiUrl: string | null = null,
): Visit {
  const temporal = { workflow: { getHandle: () => ({ describe }) }, options: { namespace: 'default' } };
  return {
    say: (key: string) => `{${key}}`,
    deps: { temporal, config: { temporalUiUrl } },
  } as unknown as Visit;
}

it.each(['RUNNING', 'COMPLETED', 'TERMINATED'])('shows the state %s in words', async (name) => {
  const [[, shown] = []] = await workflowFacts(
    visitWith(async () => ({ status: { name } })),
    'charge/pix_1',
  );
  expect(String(shown)).not.toContain(name);
  expect(String(shown)).toContain('{dashboard.payments.workflowStates.');
});

it.each([
  [null, false],
  ['http://127.0.0.1:8233', true],
])('speaks of Temporal only where its UI at %s is linked', async (temporalUiUrl, isNamed) => {
  const visit = visitWith(() => Promise.reject(new Error('not found')), temporalUiUrl);
  const [[, shown] = []] = await workflowFacts(visit, 'charge/pix_1');
  expect(String(shown)).toContain('>{dashboard.payments.workflowStates.unknown}<');
  expect(String(shown).includes('title="{dashboard.payments.noLongerKeptByTemporal}"')).toBe(isNamed);
});
