import { setTimeout as sleep } from 'node:timers/promises';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import type { Visit } from '../frame/visit.ts';

/** A page does not wait longer for Temporal, because this is its least important part. */
const PATIENCE_MS = 300;

/** The names of states at Temporal, in words. */
const STATES: Readonly<Record<string, MessageKey>> = {
  RUNNING: 'dashboard.payments.workflowStates.running',
  COMPLETED: 'dashboard.payments.workflowStates.completed',
  FAILED: 'dashboard.payments.workflowStates.failed',
  CANCELLED: 'dashboard.payments.workflowStates.cancelled',
  TERMINATED: 'dashboard.payments.workflowStates.terminated',
  CONTINUED_AS_NEW: 'dashboard.payments.workflowStates.continued',
  TIMED_OUT: 'dashboard.payments.workflowStates.timedOut',
};

/**
 * The status of the object's workflow, with a link to Temporal's UI for operators, if its address is
 * configured. Only that link speaks of Temporal.
 */
export async function workflowFacts(
  visit: Visit,
  workflowId: string,
): Promise<(readonly [string, Html | string])[]> {
  const { say, deps } = visit;
  const asked = deps.temporal.workflow
    .getHandle(workflowId)
    .describe()
    .then(({ status }) => status.name)
    .catch(() => null);
  const state = await Promise.race([asked, sleep(PATIENCE_MS, null, { ref: false })]);
  const words = say(STATES[state ?? ''] ?? 'dashboard.payments.workflowStates.unknown');
  const { temporalUiUrl } = deps.config;
  const { namespace } = deps.temporal.options;
  const address = `${temporalUiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  const shown =
    temporalUiUrl === null
      ? html`<code>${workflowId}</code> <span class="soft">${words}</span>`
      : html`<a href="${address}" title="${state === null ? say('dashboard.payments.noLongerKeptByTemporal') : workflowId}">${words}</a>`;
  return [[say('dashboard.payments.workflow'), shown]];
}
