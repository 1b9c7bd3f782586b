import type { ApiKey } from '../../../api/keys/api-keys.ts';
import { type RotatedKey, rotateKey, rotationDetails } from '../../../api/keys/rotate-key.ts';
import type { Em } from '../../../database/orm.ts';
import { type Problems, selectField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { timeText } from '../../i18n/dates.ts';
import { section } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute, nothingHere, type Reply } from '../frame/route.ts';
import { realMoneyStepUp, stepUpFields, stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { holdKeyAuthority, requireKeys, requireServingKey } from './key-access.ts';
import { renderCreatedKey } from './key-pages.ts';
import { expiresAtIn, expiryField } from './limit-fields.ts';

const HOUR_MS = 60 * 60 * 1_000;

/** How long the old key still works. */
const OVERLAPS = [
  ['24', 'dashboard.keys.overlaps.aDay'],
  ['168', 'dashboard.keys.overlaps.aWeek'],
  ['0', 'dashboard.keys.overlaps.none'],
] as const;

const rotatePage = dashboardRoute({
  method: 'GET',
  path: '/keys/:id/rotate',
  action: 'dev-key:manage',
  async handler(visit) {
    requireKeys(visit);
    return renderRotation(visit, await requireUnreplaced(visit));
  },
});

const rotate = dashboardRoute({
  method: 'POST',
  path: '/keys/:id/rotate',
  action: 'dev-key:manage',
  async handler(visit) {
    requireKeys(visit);
    const key = await requireUnreplaced(visit);
    const { expiresAt, problems: wrong } = expiresAtIn(visit);
    const isWrong = Object.keys(wrong).length > 0;
    // A code can be used only once, so the step-up is checked last.
    const problems = isWrong ? wrong : await stepUpProblem(visit, realMoneyStepUp(visit));
    if (problems !== null) return renderRotation(visit, key, problems, 422);
    const given = {
      overlapMs: overlapIn(visit) * HOUR_MS,
      creatorId: visit.user.id,
      ...expiryOf(visit, expiresAt),
    };
    const rotated = await carryOutRotation(visit, key, given);
    return renderCreatedKey(visit, rotated.keyText, oldKeyNote(visit, rotated));
  },
});

/** In one transaction with its audit line, whose submission id makes a repeated form do nothing. */
async function carryOutRotation(
  visit: Visit,
  { id }: ApiKey,
  given: Parameters<typeof rotateKey>[3],
): Promise<RotatedKey> {
  let rotated: RotatedKey | null = null;
  await visit.transaction(async (em: Em) => {
    await holdKeyAuthority(em, visit);
    rotated = await rotateKey(em, id, visit.place, given, visit.now);
    if (rotated === null) throw nothingHere();
    await visit.record(em, 'keys/rotate', id, visit.devMode, rotationDetails(rotated));
  });
  if (rotated === null) throw nothingHere();
  return rotated;
}

/** An empty expiry gives the new key as long as the old one had. */
function expiryOf(visit: Visit, expiresAt: Date | null) {
  return visit.field('expiresAt') === '' ? {} : { expiresAt };
}

/** The least time if none of the choices was sent. */
function overlapIn(visit: Visit): number {
  const [hours = '0'] = OVERLAPS.find(([value]) => value === visit.field('overlap')) ?? [];
  return Number(hours);
}

/** @throws Refusal 404 */
async function requireUnreplaced(visit: Visit): Promise<ApiKey> {
  const key = await requireServingKey(visit);
  if (key.replacedById !== null) throw nothingHere();
  return key;
}

function renderRotation(visit: Visit, key: ApiKey, problems: Problems = {}, status = 200): Reply {
  const { say } = visit;
  const fields = html`${selectField({
    name: 'overlap',
    label: say('dashboard.keys.theOldKeyStillWorks'),
    hint: say('dashboard.keys.timeToPutTheNew'),
    value: visit.field('overlap') || '24',
    options: OVERLAPS.map(([hours, name]) => [hours, say(name)] as const),
  })}
${key.expiresAt !== null && expiryField(say, visit.field('expiresAt'), problems, say('dashboard.keys.empty'))}
${stepUpFields(visit, realMoneyStepUp(visit), problems)}`;
  const body = section(
    key.description,
    html`<p><code>…${key.lastFour}</code></p>
<p>${say('dashboard.keys.createsAnotherKeyWithThe')}</p>
${form(visit, { action: `/keys/${key.id}/rotate`, fields, submit: say('dashboard.keys.rotateTheKey') })}`,
  );
  return page(visit, { title: say('dashboard.keys.rotateTheKey'), active: 'keys', body, status });
}

function oldKeyNote(visit: Visit, { replaced }: RotatedKey): Html {
  const { say } = visit;
  const ends = replaced.expiresAt;
  if (replaced.revokedAt !== null || ends === null)
    return html`${say('dashboard.keys.theOldOneNoLonger', { lastFour: replaced.lastFour })}`;
  const when = timeText(visit.locale, ends);
  return html`${say('dashboard.keys.theOldOneWorksUntil', { lastFour: replaced.lastFour, when })}`;
}

export const keyRotationPages: readonly DashboardRoute[] = [rotatePage, rotate];
