import type { ApiKey } from '../../../api/keys/api-keys.ts';
import { type Problems, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { copyable, link, section } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { realMoneyStepUp, stepUpFields } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { limitFields, NO_LIMITS, type TypedLimits } from './limit-fields.ts';
import { LEAST, permissionPicker, type TypedPermissions } from './permission-picker.ts';

/** The submitted fields of a new key. */
export interface TypedKey {
  readonly description: string;
  readonly permissions: TypedPermissions;
  readonly limits: TypedLimits;
  readonly problems: Problems & { readonly permissions?: string };
}

/** A program gets more than reading only if someone chooses so. */
const NEW_KEY: TypedKey = { description: '', permissions: LEAST, limits: NO_LIMITS, problems: {} };

export function renderNewKey(visit: Visit, typed = NEW_KEY, status = 200): Reply {
  const { say, devMode } = visit;
  const { description, permissions, limits, problems } = typed;
  const fields = html`${textField({
    name: 'description',
    label: say('dashboard.keys.whatItIsFor'),
    hint: say('dashboard.keys.forExample'),
    value: description,
    problems,
  })}
${permissionPicker(say, permissions, problems)}
${limitFields(say, limits, problems)}
${stepUpFields(visit, realMoneyStepUp(visit), problems)}`;
  const body = section(
    devMode ? say('dashboard.keys.testKey') : say('dashboard.keys.productionKey'),
    form(visit, { action: '/keys/new', fields, submit: say('dashboard.keys.createKey'), isWide: true }),
  );
  return page(visit, { title: say('dashboard.keys.newKey'), active: 'keys', body, status });
}

/** The only page that shows a key's text: the response to its form, which is neither cached nor shown again. */
export function renderCreatedKey(visit: Visit, keyText: string, note: Html | null = null): Reply {
  const { say } = visit;
  const body = section(
    say('dashboard.keys.copyTheKeyNow'),
    html`${copyable(visit, 'key', keyText)}
${note !== null && html`<p>${note}</p>`}
<p>${say('dashboard.keys.itIsNotStoredAnd')}</p>
<p>${link(visit, '/keys', say('dashboard.keys.iHaveCopiedIt'))}</p>`,
  );
  return page(visit, { title: say('dashboard.keys.keyCreated'), active: 'keys', body });
}

export function renderLimits(
  visit: Visit,
  key: ApiKey,
  typed: TypedLimits,
  problems: Problems = {},
  status = 200,
): Reply {
  const { say } = visit;
  const body = section(
    key.description,
    html`<p><code>…${key.lastFour}</code></p>
<p>${say('dashboard.keys.theyApplyFromItsNext')}</p>
${form(visit, {
  action: `/keys/${key.id}/limits`,
  fields: html`${limitFields(say, typed, problems)}
${stepUpFields(visit, realMoneyStepUp(visit), problems)}`,
  submit: say('dashboard.keys.changeTheLimits'),
})}`,
  );
  return page(visit, { title: say('dashboard.keys.limitsOfTheKey'), active: 'keys', body, status });
}

export function renderRevokeKey(visit: Visit, key: ApiKey): Reply {
  const { say } = visit;
  const body = section(
    key.description,
    html`<p><code>…${key.lastFour}</code></p>
<p>${say('dashboard.keys.requestsWithItWillBe')}</p>
${form(visit, {
  action: `/keys/${key.id}/revoke`,
  submit: say('dashboard.keys.revokeTheKey'),
  style: 'danger',
})}`,
  );
  return page(visit, { title: say('dashboard.keys.revokeKey'), active: 'keys', body });
}
