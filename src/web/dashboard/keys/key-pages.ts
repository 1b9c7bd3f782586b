import type { ApiKey } from '../../../database/entities/api-key.ts';
import { PERMISSIONS } from '../../../domain/permission.ts';
import { html } from '../../frame/html.ts';
import { copyable, link, section } from '../frame/components.ts';
import { checkboxes, form, type Problems, selectField, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { realMoneyStepUp, stepUpFields } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { limitFields, NO_LIMITS, type TypedLimits } from './limit-fields.ts';

/** The submitted fields of a new key. */
export interface TypedKey {
  readonly description: string;
  readonly readOnly: boolean;
  readonly permissions: readonly string[];
  readonly limits: TypedLimits;
  readonly problems: Problems;
}

/** Everything, because most stores have one program that does everything. */
const NEW_KEY: TypedKey = {
  description: '',
  readOnly: false,
  permissions: PERMISSIONS,
  limits: NO_LIMITS,
  problems: {},
};

export function renderNewKey(visit: Visit, typed = NEW_KEY, status = 200): Reply {
  const { say, devMode } = visit;
  const { description, readOnly, permissions, limits, problems } = typed;
  const fields = html`${textField({
    name: 'description',
    label: say('Para que ela serve', 'What it is for'),
    hint: say('Por exemplo: loja virtual', 'For example: web shop'),
    value: description,
    problems,
  })}
${selectField({
  name: 'kind',
  label: say('Tipo', 'Kind'),
  hint: say(
    'Uma chave de só leitura não muda nada, e fica só com as permissões READ marcadas abaixo.',
    'A read-only key cannot change anything, and gets only the READ permissions selected below.',
  ),
  value: readOnly ? 'read-only' : 'full',
  options: [
    ['full', say('lê e muda', 'reads and changes')],
    ['read-only', say('só lê', 'reads only')],
  ],
})}
${checkboxes({ name: 'permissions', legend: say('O que ela pode', 'What it may do'), options: PERMISSIONS, chosen: permissions, problems })}
${limitFields(say, limits, problems)}
${stepUpFields(visit, realMoneyStepUp(visit), problems)}`;
  const body = section(
    devMode
      ? say('Chave de teste: nenhum dinheiro se move', 'Test key: moves no money')
      : say('Chave de produção: move dinheiro de verdade', 'Production key: moves real money'),
    form(visit, { action: '/keys/new', fields, submit: say('Criar chave', 'Create key') }),
  );
  return page(visit, { title: say('Nova chave', 'New key'), active: 'keys', body, status });
}

/** The only page that shows a key's text: the response to its form, which is neither cached nor shown again. */
export function renderCreatedKey(visit: Visit, keyText: string): Reply {
  const { say } = visit;
  const body = section(
    say('Copie a chave agora', 'Copy the key now'),
    html`${copyable(visit, 'key', keyText)}
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
