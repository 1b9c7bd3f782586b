import { deliveryOperations } from '../../../api/deliveries/routes.ts';
import { webhookOperations } from '../../../api/webhooks/routes.ts';
import type { Problems } from '../../frame/fields.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { inBrasilia } from '../frame/brasilia.ts';
import { carryOut, read } from '../frame/operation.ts';
import { FormRefused, problemsOf } from '../frame/refusals.ts';
import { type DashboardRoute, dashboardRoute, type Reply, refused, seeOther } from '../frame/route.ts';
import { realMoneyStepUp, stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { fileOf } from '../lists/list-files.ts';
import { renderDelivery } from './delivery-page.ts';
import { healthOf } from './health.ts';
import { weakSecretIds } from './weak-secrets.ts';
import { DELETE, EXAMPLE, RESEND, SECRET } from './webhook-buttons.ts';
import { renderEditWebhook, renderEnableWebhook, renderNewWebhook, typedWebhook } from './webhook-form.ts';
import { renderWebhooks } from './webhook-list.ts';
import { DELIVERY_FILES, renderWebhook } from './webhook-page.ts';

const list = dashboardRoute({ method: 'GET', path: '/webhooks', action: 'read', handler: renderWebhooks });

const newWebhook = dashboardRoute({
  method: 'GET',
  path: '/webhooks/new',
  action: 'webhook:manage',
  handler: async (visit) => renderNewWebhook(visit),
});

const create = dashboardRoute({
  method: 'POST',
  path: '/webhooks/new',
  action: 'webhook:manage',
  async handler(visit) {
    const typed = typedWebhook(visit);
    const wrong = await stepUpProblem(visit, realMoneyStepUp(visit));
    if (wrong !== null) return renderNewWebhook(visit, typed, wrong, 422);
    try {
      const body = { ...typed, secret: visit.field('secret') };
      const { id } = await carryOut(visit, webhookOperations.create, { body });
      return seeOther(visit.link(`/webhooks/${id}`), visit.say('dashboard.webhooks.webhookCreated'));
    } catch (error) {
      return renderNewWebhook(visit, typed, problemsOf(error, visit.say), 422);
    }
  },
});

const show = dashboardRoute({
  method: 'GET',
  path: '/webhooks/:id',
  action: 'read',
  async handler(visit) {
    const { id = '' } = visit.params;
    const { status, after, before } = Object.fromEntries(visit.query);
    const webhook = await read(visit, webhookOperations.get, { query: { id } });
    const filter = { webhookId: id, status };
    const file = await fileOf(visit, DELIVERY_FILES, filter);
    if (file !== null) return file;
    const query = { ...filter, after, before, limit: '25' };
    const deliveries = await read(visit, deliveryOperations.list, { query });
    const hasWeakSecret = (await weakSecretIds(visit)).has(webhook.id);
    const health = (await healthOf(visit, [webhook])).get(webhook.id);
    return renderWebhook(visit, webhook, deliveries, { health, hasWeakSecret });
  },
});

const editPage = dashboardRoute({
  method: 'GET',
  path: '/webhooks/:id/edit',
  action: 'webhook:manage',
  async handler(visit) {
    const webhook = await read(visit, webhookOperations.get, { query: { id: visit.params.id } });
    return renderEditWebhook(visit, webhook, webhook);
  },
});

const edit = dashboardRoute({
  method: 'POST',
  path: '/webhooks/:id/edit',
  action: 'webhook:manage',
  async handler(visit) {
    const typed = typedWebhook(visit);
    const again = async (problems: Problems): Promise<Reply> => {
      const webhook = await read(visit, webhookOperations.get, { query: { id: visit.params.id } });
      return renderEditWebhook(visit, webhook, typed, problems, 422);
    };
    const wrong = await stepUpProblem(visit, realMoneyStepUp(visit));
    if (wrong !== null) return again(wrong);
    try {
      await carryOut(visit, webhookOperations.update, { body: { id: visit.params.id, ...typed } });
    } catch (error) {
      return again(problemsOf(error, visit.say));
    }
    return back(visit, visit.say('dashboard.saved'));
  },
});

/** A form in a dialog of the webhook's page, which is open again if the form is refused. */
function action(
  name: string,
  dialog: string,
  allowed: 'webhook:manage' | 'webhook:resend',
  done: MessageKey,
  work: (visit: Visit, id: string) => Promise<unknown>,
): DashboardRoute {
  return formAction({
    path: `/webhooks/:id/${name}`,
    action: allowed,
    back: ({ params }) => `/webhooks/${params.id}`,
    form: { name: dialog, page: show.handler },
    async work(visit) {
      await work(visit, visit.params.id ?? '');
      return back(visit, visit.say(done));
    },
  });
}

function back(visit: Visit, done: string): Reply {
  return seeOther(visit.link(`/webhooks/${visit.params.id}`), done);
}

const { update, rotate, test, remove } = webhookOperations;
const actions = [
  action('test', EXAMPLE, 'webhook:manage', 'dashboard.webhooks.theExampleIsOnIts', (visit, id) =>
    carryOut(visit, test, { body: { id, event: visit.field('event') }, subjectId: id }),
  ),
  action('resend', RESEND, 'webhook:resend', 'dashboard.webhooks.theyAreOnTheirWay', (visit, id) => {
    const [from, to] = [inBrasilia(visit.field('from')), inBrasilia(visit.field('to'))];
    const body = { webhookId: id, from, to, status: visit.field('status') };
    return carryOut(visit, deliveryOperations.resend, { body, subjectId: id, readBy: webhookOperations.get });
  }),
];

/** Requires the password in production: someone may have disabled the endpoint because it no longer belongs to them. */
const enablePage = dashboardRoute({
  method: 'GET',
  path: '/webhooks/:id/enable',
  action: 'webhook:manage',
  async handler(visit) {
    return renderEnableWebhook(
      visit,
      await read(visit, webhookOperations.get, { query: { id: visit.params.id } }),
    );
  },
});

const enable = formAction({
  path: '/webhooks/:id/enable',
  action: 'webhook:manage',
  back: ({ params }) => `/webhooks/${params.id}`,
  async work(visit) {
    const { id = '' } = visit.params;
    const webhook = await read(visit, webhookOperations.get, { query: { id } });
    if (webhook.disabledAt === null) return asItIs(visit, visit.say('dashboard.webhooks.itIsEnabledAlready'));
    const wrong = await stepUpProblem(visit, realMoneyStepUp(visit));
    if (wrong !== null) return renderEnableWebhook(visit, webhook, wrong, 422);
    await carryOut(visit, update, { body: { id, enabled: true } });
    return back(visit, visit.say('dashboard.webhooks.enabled'));
  },
});

/** Has no effect on a disabled endpoint. Otherwise repeated requests could flood owners with mails that hide important ones. */
const disable = formAction({
  path: '/webhooks/:id/disable',
  action: 'webhook:manage',
  back: ({ params }) => `/webhooks/${params.id}`,
  async work(visit) {
    const { id = '' } = visit.params;
    const { disabledAt } = await read(visit, webhookOperations.get, { query: { id } });
    if (disabledAt !== null) return asItIs(visit, visit.say('dashboard.webhooks.itIsDisabledAlready'));
    await carryOut(visit, update, { body: { id, enabled: false } });
    return back(visit, visit.say('dashboard.webhooks.disabled2'));
  },
});

function asItIs(visit: Visit, why: string): Reply {
  return refused(visit.link(`/webhooks/${visit.params.id}`), why);
}

const rotateSecret = action(
  'rotate-secret',
  SECRET,
  'webhook:manage',
  'dashboard.webhooks.theSecretIsChanged',
  async (visit, id) => {
    const wrong = await stepUpProblem(visit, realMoneyStepUp(visit));
    if (wrong !== null) throw new FormRefused(wrong);
    return carryOut(visit, rotate, { body: { id, secret: visit.field('secret') } });
  },
);

/**
 * Requires the password in production: a deleted endpoint cannot come back, and its owner's systems would no longer learn of payouts. To stop
 * sending at once, anyone who manages endpoints may disable it.
 */
const deleteOne = formAction({
  path: '/webhooks/:id/delete',
  action: 'webhook:manage',
  back: ({ params }) => `/webhooks/${params.id}`,
  form: { name: DELETE, page: show.handler },
  async work(visit) {
    const wrong = await stepUpProblem(visit, realMoneyStepUp(visit));
    if (wrong !== null) throw new FormRefused(wrong);
    await carryOut(visit, remove, { body: { id: visit.params.id } });
    return seeOther(visit.link('/webhooks'), visit.say('dashboard.webhooks.deleted2'));
  },
});

const delivery = dashboardRoute({
  method: 'GET',
  path: '/deliveries/:id',
  action: 'read',
  async handler(visit) {
    const found = await read(visit, deliveryOperations.get, { query: { id: visit.params.id } });
    const { items } = await read(visit, webhookOperations.list, { query: { id: found.webhookId } });
    return renderDelivery(visit, found, items[0]);
  },
});

const resendOne = formAction({
  path: '/deliveries/:id/resend',
  action: 'webhook:resend',
  back: ({ params }) => `/deliveries/${params.id}`,
  async work(visit) {
    const { id = '' } = visit.params;
    const { resend, get } = deliveryOperations;
    await carryOut(visit, resend, { body: { id }, subjectId: id, readBy: get });
    return seeOther(visit.link(`/deliveries/${id}`), visit.say('dashboard.webhooks.itIsOnItsWay'));
  },
});

export const webhookPages: readonly DashboardRoute[] = [
  list,
  newWebhook,
  create,
  show,
  editPage,
  edit,
  enablePage,
  enable,
  disable,
  ...actions,
  rotateSecret,
  deleteOne,
  delivery,
  resendOne,
];
