import type { DeliveryView } from '../../../api/deliveries/schema.ts';
import type { Page } from '../../../api/frame/pagination.ts';
import type { WebhookView } from '../../../api/webhooks/schema.ts';
import { DELIVERY_STATUSES } from '../../../domain/delivery.ts';
import type { EndpointHealth } from '../../../webhooks/endpoint-health.ts';
import { type Html, html } from '../../frame/html.ts';
import { facts, filters, link, pager, section, time } from '../frame/components.ts';
import { form, type Problems, selectField, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Say } from '../frame/locale.ts';
import type { Reply } from '../frame/route.ts';
import { realMoneyStepUp, stepUpFields } from '../frame/step-up.ts';
import { type Shown, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { statusBadge, statusName } from './delivery-page.ts';
import { eventNames } from './event-picker.ts';
import { EVENT_WORDS, eventWords } from './event-words.ts';
import { failureWords } from './failure-words.ts';
import { deliveredText, healthBadge, lastFailure, lastSuccess } from './health.ts';
import { secretField } from './webhook-form.ts';

interface Standing {
  readonly health: EndpointHealth | undefined;
  readonly hasWeakSecret: boolean;
  readonly problems: Problems;
  readonly status: number;
}

/** GET `/webhooks/:id`: its settings, deliveries and actions. */
export function renderWebhook(
  visit: Visit,
  webhook: WebhookView,
  deliveries: Page<DeliveryView>,
  { health, hasWeakSecret, problems, status }: Standing,
): Reply {
  const { say } = visit;
  const body = html`${hasWeakSecret && weakSecretNote(visit)}${section(say('Sobre', 'About'), aboutOf(visit, webhook, health))}
${section(say('Entregas', 'Deliveries'), deliveriesOf(visit, deliveries))}
<div class="columns">${visit.can('webhook:resend') && section(say('Reenviar um período', 'Send a range again'), resendForm(visit, webhook))}
${visit.can('webhook:manage') && manageForms(visit, webhook, problems)}</div>`;
  return page(visit, { title: webhook.name, active: 'webhooks', body, status });
}

/** Only for people who can change it: others would learn which secret to guess. */
function weakSecretNote({ say }: Visit): Html {
  return html`<div class="answer answer--bad"><p>${say(
    'O segredo deste webhook é curto demais: outras pessoas podem descobri-lo e assinar em nome dele.',
    'This webhook’s secret is too short: attackers can guess it and forge deliveries.',
  )} <a href="#secret">${say('Trocar pelo que foi gerado abaixo', 'Change it to the one generated below')}</a></p></div>
`;
}

function aboutOf(visit: Visit, webhook: WebhookView, health: EndpointHealth | undefined): Html {
  const { say } = visit;
  return facts([
    [say('Endereço', 'Endpoint'), html`<code>${webhook.endpoint}</code>`],
    [
      say('Estado', 'State'),
      html`${healthBadge(visit, webhook, health)}${
        webhook.disabledAt !== null && html` ${say('desde', 'since')} ${time(visit, webhook.disabledAt)}`
      }`,
    ],
    ...(health === undefined ? [] : healthFacts(visit, health)),
    [
      say('Eventos', 'Events'),
      html`<ul class="plain">${webhook.events.map((name) => html`<li>${eventWords(say, name)}</li>`)}</ul>`,
    ],
    [say('Versão da API', 'API version'), webhook.v2 ? 'v2' : 'v1'],
    ...(webhook.previousSecretUntil === null
      ? []
      : [
          [
            say('Segredo anterior vale até', 'Previous secret valid until'),
            time(visit, webhook.previousSecretUntil),
          ] as const,
        ]),
  ]);
}

function healthFacts(visit: Visit, health: EndpointHealth): readonly (readonly [string, Shown])[] {
  const { say } = visit;
  const { pausedUntil, waiting } = health;
  return [
    [say('Em 24 horas', 'In 24 hours'), deliveredText(visit, health)],
    ...(waiting > 0 ? [[say('Na fila', 'Waiting'), String(waiting)] as const] : []),
    [say('Último sucesso', 'Last success'), lastSuccess(visit, health)],
    [say('Última falha', 'Last failure'), lastFailure(visit, health)],
    ...(pausedUntil === null
      ? []
      : [[say('Pausado até', 'Paused until'), time(visit, pausedUntil)] as const]),
  ];
}

function deliveriesOf(visit: Visit, { items, pagination }: Page<DeliveryView>): Html {
  const { say } = visit;
  return html`${filters(
    visit,
    selectField({
      name: 'status',
      label: say('Estado', 'Status'),
      value: visit.query.get('status') ?? '',
      options: [
        ['', say('todas', 'all')],
        ...DELIVERY_STATUSES.map((status) => [status, statusName(status, say)] as const),
      ],
    }),
  )}
${table({
  caption: say('Entregas', 'Deliveries'),
  headings: [
    say('Evento', 'Event'),
    say('Quando', 'When'),
    say('Estado', 'Status'),
    say('Última resposta', 'Last response'),
  ],
  rows: items.map((delivery) => ({
    href: visit.link(`/deliveries/${delivery.id}`),
    cells: [
      eventWords(say, delivery.event),
      time(visit, delivery.createdAt),
      statusBadge(delivery, say),
      lastAnswer(delivery, say),
    ],
  })),
  empty: say('Nada foi enviado.', 'Nothing was sent.'),
})}
${pager(visit, pagination)}`;
}

function lastAnswer({ attempts }: DeliveryView, say: Say): string {
  const last = attempts.at(-1);
  if (last === undefined) return '–';
  if (last.error !== null) return failureWords(last.error, say);
  return `HTTP ${last.statusCode} · ${last.durationMs} ms`;
}

function resendForm(visit: Visit, { id }: WebhookView): Html {
  const { say } = visit;
  const fields = html`${textField({ name: 'from', label: say('De (horário de Brasília)', 'From (time of Brasília)'), type: 'datetime-local' })}
${textField({ name: 'to', label: say('Até', 'To'), type: 'datetime-local' })}
${selectField({ name: 'status', label: say('As que estão', 'Those that are'), value: 'FAILED', options: DELIVERY_STATUSES.map((status) => [status, statusName(status, say)]) })}`;
  return form(visit, {
    action: `/webhooks/${id}/resend`,
    fields,
    submit: say('Reenviar', 'Send again'),
    style: 'plain',
  });
}

function manageForms(visit: Visit, { id, v2, events, disabledAt }: WebhookView, problems: Problems): Html {
  const { say } = visit;
  const testFields = selectField({
    name: 'event',
    label: say('Evento de exemplo', 'Example of'),
    value: events[0] ?? '',
    options: eventNames(v2).map((name) => [name, `${say(...EVENT_WORDS[name])} (${name})`]),
  });
  const isOn = disabledAt === null;
  return html`${section(say('Testar', 'Try it out'), form(visit, { action: `/webhooks/${id}/test`, fields: testFields, submit: say('Enviar exemplo', 'Send the example') }))}
${section(
  say('Mudar', 'Change'),
  html`<p><a class="button button--quiet" href="${visit.link(`/webhooks/${id}/edit`)}">${say('Editar nome, endereço e eventos', 'Edit name, endpoint and events')}</a></p>
${
  isOn
    ? form(visit, {
        action: `/webhooks/${id}/disable`,
        submit: say('Desativar', 'Disable'),
        style: 'quiet',
      })
    : html`<p>${link(visit, `/webhooks/${id}/enable`, say('Ativar de novo…', 'Enable again…'))}</p>`
}`,
)}
${section(
  say('Trocar o segredo', 'Change the secret'),
  html`<p>${say('O anterior assina também por 24 horas.', 'The previous one also signs for 24 hours.')}</p>
${form(visit, { action: `/webhooks/${id}/rotate-secret`, fields: html`${secretField(visit, problems)}${stepUpFields(visit, realMoneyStepUp(visit), problems)}`, submit: say('Trocar', 'Change it') })}`,
)}
${section(
  say('Apagar', 'Delete'),
  html`<p>${say('Nada mais é enviado a ele. As entregas passadas continuam visíveis.', 'Nothing is sent to it any more. Past deliveries stay readable.')}</p>
${form(visit, { action: `/webhooks/${id}/delete`, submit: say('Apagar o webhook', 'Delete the webhook'), style: 'danger' })}`,
)}`;
}
