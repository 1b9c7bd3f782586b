import { createRequire } from 'node:module';
import type { PayoutId } from '../../src/domain/ids.ts';
import type { PixDestination } from '../../src/domain/payout.ts';
import { buildBrCode } from '../../src/domain/pix.ts';
import { mintId } from '../../src/ids.ts';
import { portOf } from '../../src/providers/provider.ts';
import { startPsp } from '../psp/start-psp.ts';
import { adapterThrough, checkChargeLifecycle } from './charge-lifecycle.ts';
import { checkMandateLifecycle, mandatesThrough } from './mandate-lifecycle.ts';
import { type Exchange, relayTo } from './relay.ts';
import type { Verdict } from './verdict.ts';

interface Schema {
  safeParse(value: unknown): { error?: { issues: { path: PropertyKey[]; message: string }[] } };
}

/** The names that Efí's own client gives to requests and their answers. */
const SCHEMAS: readonly (readonly [RegExp, body: string | null, answer: string | null])[] = [
  [/^PUT \/v2\/cob\//, 'PixCreateChargeBodySchema', 'PixCreateChargeResponseSchema'],
  [/^PATCH \/v2\/cob\//, 'PixUpdateChargeBodySchema', 'PixUpdateChargeResponseSchema'],
  [/^GET \/v2\/cob\//, null, 'PixDetailChargeResponseSchema'],
  [/^GET \/v2\/cob\?/, null, 'PixListChargesResponseSchema'],
  [/^PUT \/v2\/cobv\//, 'PixCreateDueChargeBodySchema', 'PixCreateDueChargeResponseSchema'],
  [/^PATCH \/v2\/cobv\//, 'PixUpdateDueChargeBodySchema', 'PixUpdateDueChargeResponseSchema'],
  [/^GET \/v2\/cobv\//, null, 'PixDetailDueChargeResponseSchema'],
  [/^GET \/v2\/cobv\?/, null, 'PixListDueChargesResponseSchema'],
  [/^PUT \/v2\/pix\/\w+\/devolucao\//, 'PixDevolutionBodySchema', 'PixDevolutionResponseSchema'],
  [/^GET \/v2\/pix\/\w+\/devolucao\//, null, 'PixDetailDevolutionResponseSchema'],
  [/^GET \/v2\/pix\/\w+$/, null, 'PixDetailReceivedResponseSchema'],
  [/^GET \/v2\/pix\?/, null, 'PixListReceivedResponseSchema'],
  [
    /^POST \/v2\/rec$/,
    'PixCreateRecurrenceAutomaticBodySchema',
    'PixCreateRecurrenceAutomaticResponseSchema',
  ],
  [
    /^PATCH \/v2\/rec\//,
    'PixUpdateRecurrenceAutomaticBodySchema',
    'PixUpdateRecurrenceAutomaticResponseSchema',
  ],
  [/^GET \/v2\/rec\/\w+/, null, 'PixDetailRecurrenceAutomaticResponseSchema'],
  [/^GET \/v2\/rec\?/, null, 'PixListRecurrenceAutomaticResponseSchema'],
  [/^POST \/v2\/locrec$/, null, 'PixCreateLocationRecurrenceAutomaticResponseSchema'],
  [
    /^PUT \/v2\/cobr\//,
    'PixCreateAutomaticChargeTxidBodySchema',
    'PixCreateAutomaticChargeTxidResponseSchema',
  ],
  [/^PATCH \/v2\/cobr\//, 'PixUpdateAutomaticChargeBodySchema', 'PixUpdateAutomaticChargeResponseSchema'],
  [/^GET \/v2\/cobr\//, null, 'PixDetailAutomaticChargeResponseSchema'],
  [/^GET \/v2\/cobr\?/, null, 'PixListAutomaticChargeResponseSchema'],
  [/^POST \/v2\/cobr\/\w+\/retentativa\//, null, 'PixRetryRequestAutomaticResponseSchema'],
  [/^PUT \/v2\/webhookrec$/, 'PixConfigWebhookRecurrenceAutomaticBodySchema', null],
  [/^PUT \/v2\/webhookcobr$/, 'PixConfigWebhookAutomaticChargeBodySchema', null],
  [/^PUT \/v2\/webhook\//, 'PixConfigWebhookBodySchema', 'PixConfigWebhookResponseSchema'],
  [/^PUT \/v2\/gn\/pix\/\w+\/qrcode$/, 'PixQrCodeBodySchema', 'PixQrCodePayResponseSchema'],
  [/^PUT \/v3\/gn\/pix\//, 'PixSendBodySchema', 'PixSendResponseSchema'],
  [/^GET \/v2\/gn\/pix\/enviados\/id-envio\//, null, 'PixSendDetailIdResponseSchema'],
];

/** Valid values that Efí's schemas refuse, each with the reason. */
const ALLOWED: readonly { readonly field: RegExp; readonly reason: string }[] = [
  {
    field: /devolucoes\.\d+: Unrecognized keys?: "(natureza|motivo)"/,
    reason: 'it knows no refund that failed or was taken back (MED), which its documents do',
  },
  {
    field: /PixQrCodePayResponseSchema endToEndId: /,
    reason: 'its documents call it e2eId in this answer; the adapter reads both',
  },
  {
    field: /DueCharges?ResponseSchema (cobs\.\d+\.)?recebedor: Invalid input$/,
    reason: "it requires the receiver's e-mail and trade name, which Bacen's document leaves out",
  },
  {
    field: /DueChargeResponseSchema loc: Unrecognized keys?: "txid"(, "criacao")?$/,
    reason: "Bacen's document requires both of the location of a charge",
  },
  {
    field: /PixListDueChargesResponseSchema cobs\.\d+: Unrecognized key: "location"$/,
    reason: "Bacen's document requires it of every charge with a due date",
  },
  {
    field:
      /PixListRecurrenceAutomaticResponseSchema recs\.\d+\.dadosQR: Invalid input: expected object, received undefined$/,
    reason:
      "Bacen's document has the code of one mandate only, which it makes for the charge that the request names",
  },
  {
    field:
      /AutomaticChargeResponseSchema (cobsr\.\d+\.)?encerramento\.cancelamento: Invalid input: expected object/,
    reason: "it knows no debit that the payer's bank has rejected, which Bacen's document does",
  },
  {
    field: /PixDetailDueChargeResponseSchema pix\.\d+\.chave: /,
    reason: 'a payment inside its charge has no key in its other answers and in the document',
  },
];

/** A payee who recognises the payment by its txid. */
const CODED: PixDestination = {
  type: 'BR_CODE',
  key: buildBrCode({
    key: 'ana@example.com',
    merchantName: 'Ana Souza',
    merchantCity: 'Recife',
    amountCents: 700,
    txid: 'PEDIDO1042',
  }),
  txid: 'PEDIDO1042',
};

/**
 * Checks every request of the adapter, and every success of the bank, in Efí's profile against the schemas of Efí's own client.
 */
export async function byEfi(conformance: string, webhookUrl: string): Promise<Verdict> {
  const schemas = createRequire(`${conformance}/package.json`)('sdk-node-apis-efi') as Record<string, Schema>;
  const psp = await startPsp({ profile: 'efi', tokenSeconds: 365 * 86_400 });
  const relay = await relayTo(psp, String(psp.account.settings.apiUrl));
  const bank = adapterThrough(psp, relay.url);
  const debiting = mandatesThrough(psp, { api: relay.url });
  try {
    await checkChargeLifecycle(bank, psp, webhookUrl);
    const reference = mintId<PayoutId>('payout', new Date());
    const order = { reference, amountCents: 700, destination: null, now: new Date() };
    while ((await portOf(bank, 'payouts').send(order)).outcome === 'PENDING');
    const coded = { ...order, reference: mintId<PayoutId>('payout', new Date()), destination: CODED };
    while ((await portOf(bank, 'payouts').send(coded)).outcome === 'PENDING');
    await checkMandateLifecycle(debiting, psp, webhookUrl);
    const checked = relay.exchanges.flatMap((each) => violationsOf(each, schemas));
    const wrong = checked.filter((each) => !ALLOWED.some(({ field }) => field.test(each)));
    return { what: `${relay.exchanges.length} requests and answers`, wrong: [...new Set(wrong)] };
  } finally {
    await Promise.all([bank.disconnect(), debiting.disconnect(), relay.close(), psp.close()]);
  }
}

function violationsOf(
  { method, path, body, status, answer }: Exchange,
  schemas: Record<string, Schema>,
): string[] {
  const request = `${method} ${path}`;
  const found = SCHEMAS.find(([pattern]) => pattern.test(request));
  if (found === undefined) return [`${request} is not known to Efí`];
  const [pattern, bodySchema, answerSchema] = found;
  const against = (name: string, value: unknown) =>
    (schemas[name]?.safeParse(value).error?.issues ?? []).map(
      (issue) => `${pattern.source} ${name} ${issue.path.join('.')}: ${issue.message}`,
    );
  return [
    ...(bodySchema === null ? [] : against(bodySchema, body)),
    ...(status < 300 && answerSchema !== null ? against(answerSchema, answer) : []),
  ];
}
