import type { DeliveryToStart } from '../../../database/entities/delivery.ts';
import { type Nfse, NfseEntity } from '../../../database/entities/nfse.ts';
import { dpsFile } from '../../../invoices/nfse/dps-file.ts';
import { type IssueRefusal, issueByHand } from '../../../invoices/nfse/issue-by-hand.ts';
import { nfseSettingsOf, saveNfseSettings } from '../../../invoices/nfse/nfse-settings.ts';
import { requestCancellation } from '../../../invoices/nfse/request-cancellation.ts';
import { type ReportResult, takeReport } from '../../../invoices/nfse/take-report.ts';
import {
  exampleAccessKey,
  exampleAuthorizedNfse,
  exampleNfse,
  presentNfse,
  publishedNfse,
} from '../../../wire/nfse.ts';
import { brokenRule, notFound } from '../../frame/errors.ts';
import { presentPage } from '../../frame/pagination.ts';
import type { ApiRequest } from '../../frame/request.ts';
import { fileRoute, listRoute, type Route, route } from '../../frame/route.ts';
import { startDeliveries } from '../../frame/start-deliveries.ts';
import { requireInvoice } from '../queries.ts';
import { nfseFilter, requireNfse } from './queries.ts';
import {
  cancelNfseBody,
  dpsQuery,
  issueNfseBody,
  listNfseQuery,
  nfseQuery,
  reportIn,
  reportNfseBody,
} from './schema.ts';
import {
  exampleNfseSettings,
  nfseSettingsIn,
  nfseSettingsView,
  presentNfseSettings,
  updateNfseSettingsBody,
} from './settings-schema.ts';

const READS = ['INVOICE:READ', 'CHECKOUT:READ'] as const;

const settings = route({
  method: 'GET',
  path: '/invoices/nfse/settings',
  summary: 'The data of the store for NFS-e',
  permission: READS,
  response: nfseSettingsView,
  errors: [],
  example: { response: { devMode: true, ...exampleNfseSettings } },
  async handler({ em, key }) {
    return presentNfseSettings(key, await nfseSettingsOf(em, key));
  },
});

const updateSettings = route({
  method: 'POST',
  path: '/invoices/nfse/update-settings',
  summary: 'Change the data of the store for NFS-e',
  description:
    'Replaces all of it, in the environment of the key. It counts for every DPS that is issued from then on, also again.',
  permission: 'INVOICE:CREATE',
  audited: true,
  body: updateNfseSettingsBody,
  response: nfseSettingsView,
  errors: [],
  example: {
    body: exampleNfseSettings,
    response: { devMode: true, ...exampleNfseSettings },
  },
  async handler(request) {
    const { key, body, now } = request;
    const chosen = nfseSettingsIn(body);
    return request.transaction(async (tx) => {
      await saveNfseSettings(tx, key, chosen, now);
      const { enabled, issueOn, series } = body;
      await request.recordAction(tx, key.storeId, { enabled, issueOn, series });
      return presentNfseSettings(key, chosen);
    });
  },
});

const list = listRoute({
  path: '/invoices/nfse/list',
  summary: 'List NFS-e, newest first',
  description: 'With `status=PENDING`: every DPS that still waits to be transmitted, or for the answer.',
  permission: READS,
  query: listNfseQuery,
  response: publishedNfse,
  errors: [],
  example: { response: exampleNfse },
  handler: (request) => presentPage(request, NfseEntity, nfseFilter(request.key, request.query), presentNfse),
});

const get = route({
  method: 'GET',
  path: '/invoices/nfse/get',
  summary: 'Get an NFS-e',
  permission: READS,
  query: nfseQuery,
  response: publishedNfse,
  errors: ['NOT_FOUND'],
  example: { response: exampleAuthorizedNfse },
  handler: async ({ em, key, query }) => presentNfse(await requireNfse(em, key, query.id)),
});

const dps = fileRoute({
  path: '/invoices/dps',
  fileType: 'application/xml',
  summary: 'Get a DPS as XML',
  description:
    'The document of the national standard, version 1.01, without a signature. It names the payer, so the key also needs `CUSTOMER:READ`.',
  permission: READS,
  alsoNeeds: ['CUSTOMER:READ'],
  query: dpsQuery,
  errors: ['NOT_FOUND'],
  async handler({ em, key, query }) {
    const file = await dpsFile(em, await requireNfse(em, key, query.id), query.attempt);
    if (file === null) throw notFound('Attempt');
    return { ...file, type: 'application/xml' };
  },
});

const REFUSALS: Readonly<Record<IssueRefusal, string>> = {
  NO_ISSUER: 'The store has not entered its data for NFS-e',
  VOID: 'The invoice is void',
  REFUNDED: 'The payment of the invoice was refunded',
  NOTHING_CHARGED: 'The invoice charges nothing for a service',
};

const issue = route({
  method: 'POST',
  path: '/invoices/nfse/issue',
  summary: 'Issue the DPS of an invoice',
  description:
    'For an invoice that has none, again after a rejection, or another one after a cancellation. If one is `PENDING` or `AUTHORIZED`, it is returned as it is.',
  permission: 'INVOICE:CREATE',
  audited: true,
  body: issueNfseBody,
  response: publishedNfse,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { body: { invoiceId: exampleNfse.invoiceId }, response: exampleNfse },
  async handler(request) {
    const { em, key, body } = request;
    const invoice = await requireInvoice(em, key, body.invoiceId);
    const omitsPayer = body.omitPayer ?? false;
    return request.transaction(async (tx) => {
      const result = await issueByHand(tx, invoice.id, { omitsPayer }, request);
      if ('refusal' in result) {
        const rule = result.refusal === 'NO_ISSUER' ? 'NFSE_NOT_SET_UP' : 'NOTHING_TO_DECLARE';
        throw brokenRule(rule, null, REFUSALS[result.refusal]);
      }
      const { nfse, isIssued, deliveries } = result;
      startAfterCommit(request, deliveries);
      if (isIssued) await request.recordAction(tx, nfse.id, { attempt: nfse.attempt });
      return presentNfse(nfse);
    });
  },
});

const report = route({
  method: 'POST',
  path: '/invoices/nfse/report',
  summary: 'Report what the tax authority answered',
  description: `For the program that transmits each DPS. Reports may be repeated, and may arrive in any order: the NFS-e is returned as it is
afterwards. \`AUTHORIZED\` is accepted after \`REJECTED\`, and a rejection after \`AUTHORIZED\` changes nothing.`,
  permission: 'INVOICE:CREATE',
  body: reportNfseBody,
  response: publishedNfse,
  errors: ['NOT_FOUND', 'INVALID_STATE', 'NOT_ACCEPTABLE'],
  example: {
    body: {
      id: exampleNfse.id,
      status: 'AUTHORIZED',
      attempt: 1,
      accessKey: exampleAccessKey,
      ...(exampleAuthorizedNfse.verificationUrl && {
        verificationUrl: exampleAuthorizedNfse.verificationUrl,
      }),
    },
    response: exampleAuthorizedNfse,
  },
  async handler(request) {
    const { em, key, body, now } = request;
    const found = await requireNfse(em, key, body.id);
    return request.transaction(async (tx) => {
      const result = await takeReport(tx, found, reportIn(body, now), request);
      if ('refusal' in result) throw refused(result.refusal);
      startAfterCommit(request, result.deliveries);
      return presentNfse(result.nfse);
    });
  },
});

function refused(refusal: Extract<ReportResult, { readonly refusal: string }>['refusal']) {
  switch (refusal) {
    case 'UNKNOWN_ATTEMPT':
      return brokenRule('NFSE_UNKNOWN_ATTEMPT', 'attempt', 'must be an attempt that was issued');
    case 'ATTEMPT_MISSING':
      return brokenRule('NFSE_UNKNOWN_ATTEMPT', 'attempt', 'is needed, because the DPS was issued again');
    case 'NEVER_AUTHORIZED':
      return brokenRule('NFSE_NOT_AUTHORIZED', 'accessKey', 'is needed, because no NFS-e was reported');
    case 'OTHER_ACCESS_KEY':
      return brokenRule('NFSE_OTHER_ACCESS_KEY', 'accessKey', 'must be of this DPS, and of its store');
    case 'ACCESS_KEY_TAKEN':
      return brokenRule('NFSE_OTHER_ACCESS_KEY', 'accessKey', 'belongs to another NFS-e');
  }
}

const cancel = route({
  method: 'POST',
  path: '/invoices/nfse/cancel',
  summary: 'Ask for the cancellation of an NFS-e',
  description:
    'Publishes `nfse.cancellation_requested`. Repeating it changes nothing, unless the authority has refused the last request.',
  permission: 'INVOICE:CREATE',
  audited: true,
  body: cancelNfseBody,
  response: publishedNfse,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: {
    body: { id: exampleNfse.id },
    response: {
      ...exampleAuthorizedNfse,
      cancellation: { reason: 'REQUESTED', requestedAt: exampleAuthorizedNfse.updatedAt, errors: [] },
    },
  },
  async handler(request) {
    const { em, key, body, now } = request;
    const { id } = await requireNfse(em, key, body.id);
    return request.transaction(async (tx) => {
      const isNew = await requestCancellation(tx, id, now);
      const nfse: Nfse = await requireNfse(tx, key, id);
      if (nfse.status === 'PENDING' || nfse.status === 'REJECTED')
        throw brokenRule('NFSE_NOT_AUTHORIZED', null, 'The NFS-e is not authorised');
      if (isNew) await request.recordAction(tx, id);
      return presentNfse(nfse);
    });
  },
});

function startAfterCommit(request: ApiRequest, deliveries: readonly DeliveryToStart[]): void {
  request.afterCommit(() => startDeliveries(request.deps, deliveries));
}

/** Operations that the dashboard also uses. */
export const nfseOperations = { settings, updateSettings, list, get, dps, issue, report, cancel };

/** NFS-e of invoices (our addition). */
export const nfseRoutes: readonly Route[] = Object.values(nfseOperations);
