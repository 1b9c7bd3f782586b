import type { ApiKey } from '../../../api/keys/api-keys.ts';
import { type Html, html } from '../../frame/html.ts';
import { copyable, link, section } from '../frame/components.ts';
import { form, type Problems, textField } from '../frame/form.ts';
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
    label: say('Para que ela serve', 'What it is for'),
    hint: say('Por exemplo: loja virtual', 'For example: web shop'),
    value: description,
    problems,
  })}
${permissionPicker(say, permissions, problems.permissions)}
${limitFields(say, limits, problems)}
${stepUpFields(visit, realMoneyStepUp(visit), problems)}`;
  const body = section(
    devMode
      ? say('Chave de teste: nenhum dinheiro se move', 'Test key: moves no money')
      : say('Chave de produção: move dinheiro de verdade', 'Production key: moves real money'),
    form(visit, { action: '/keys/new', fields, submit: say('Criar chave', 'Create key'), isWide: true }),
  );
  return page(visit, { title: say('Nova chave', 'New key'), active: 'keys', body, status });
}

/** The only page that shows a key's text: the response to its form, which is neither cached nor shown again. */
export function renderCreatedKey(visit: Visit, keyText: string, note: Html | null = null): Reply {
  const { say } = visit;
  const body = section(
    say('Copie a chave agora', 'Copy the key now'),
    html`${copyable(visit, 'key', keyText)}
${note !== null && html`<p>${note}</p>`}
<p>${say('Ela não é guardada e não será mostrada de novo.', 'It is not stored, and will not be shown again.')}</p>
<p>${link(visit, '/keys', say('Já copiei', 'I have copied it'))}</p>`,
  );
  return page(visit, { title: say('Chave criada', 'Key created'), active: 'keys', body });
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
<p>${say('Valem desde o próximo pedido com ela.', 'They apply from its next request.')}</p>
${form(visit, {
  action: `/keys/${key.id}/limits`,
  fields: html`${limitFields(say, typed, problems)}
${stepUpFields(visit, realMoneyStepUp(visit), problems)}`,
  submit: say('Mudar os limites', 'Change the limits'),
})}`,
  );
  return page(visit, { title: say('Limites da chave', 'Limits of the key'), active: 'keys', body, status });
}

export function renderRevokeKey(visit: Visit, key: ApiKey): Reply {
  const { say } = visit;
  const body = section(
    key.description,
    html`<p><code>…${key.lastFour}</code></p>
<p>${say('Pedidos com ela são recusados a partir de agora. Isto não pode ser desfeito.', 'Requests with it will be refused. This cannot be undone.')}</p>
${form(visit, {
  action: `/keys/${key.id}/revoke`,
  submit: say('Revogar a chave', 'Revoke the key'),
  style: 'danger',
})}`,
  );
  return page(visit, { title: say('Revogar chave', 'Revoke key'), active: 'keys', body });
}
