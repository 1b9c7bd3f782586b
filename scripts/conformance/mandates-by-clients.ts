import { createRequire } from 'node:module';
import { join } from 'node:path';
import { addDays } from '../../src/domain/civil-date.ts';
import type { BacenProfileName } from '../../src/providers/bacen/profiles/index.ts';
import { type Psp, startPsp } from '../psp/start-psp.ts';
import { runProgram } from './by-python.ts';
import { verdictOf } from './explained-differences.ts';
import {
  checkMandateLifecycle,
  MandateScenario,
  mandatesThrough,
  PAYER,
  RECEIVER,
} from './mandate-lifecycle.ts';
import { type Exchange, type Relay, relayTo } from './relay.ts';
import { differencesOf } from './requests-compared.ts';
import type { Verdict } from './verdict.ts';

/** The lifetime of tokens: longer than the weeks by which the bank's clock moves. */
const TOKEN_SECONDS = 365 * 86_400;
/** Profiles of pypix-api whose banks have mandates here. */
const PYPIX_PROFILES: readonly BacenProfileName[] = ['inter', 'sicredi', 'bb'];
const FAR = { inicio: '2020-01-01T00:00:00Z', fim: '2099-01-01T00:00:00Z' };

/** Runs pypix-api's client through the full lifecycle of mandates, in each profile that both support. */
export async function mandatesByPypix(
  python: string,
  conformance: string,
  webhookUrl: string,
): Promise<Verdict> {
  return judged('pypix-mandates', PYPIX_PROFILES, webhookUrl, async (psp, relay) => {
    const { settings, secrets, profile } = psp.account;
    const [api, token] = [new URL(String(settings.apiUrl)), new URL(String(settings.tokenUrl))];
    const input = {
      profile,
      api: `${relay.url}${api.pathname}`,
      token: `${relay.url}${token.pathname}`,
      admin: psp.adminUrl,
      account: '1234567',
      client_id: settings.clientId,
      client_secret: secrets.clientSecret,
      app_key: settings.applicationKey,
    };
    const script = join(conformance, 'pypix_mandates.py');
    const { code, output } = await runProgram(python, [script], conformance, JSON.stringify(input));
    if (code !== 0) throw new Error(output.trim().split('\n').at(-1));
  });
}

/** Efí's own operations for mandates. The client lets its caller set no address, so the addresses are replaced. */
interface EfiClient {
  resolveRequestContext(name: string): object;
  pixConfigWebhookRecurrenceAutomatic(body: object): Promise<unknown>;
  pixConfigWebhookAutomaticCharge(body: object): Promise<unknown>;
  pixCreateLocationRecurrenceAutomatic(): Promise<{ id: number }>;
  pixCreateRecurrenceAutomatic(body: object): Promise<{ idRec: string }>;
  pixDetailRecurrenceAutomatic(params: object): Promise<{ status: string }>;
  pixUpdateRecurrenceAutomatic(params: object, body: object): Promise<{ status: string }>;
  pixListRecurrenceAutomatic(params: object): Promise<{ recs: unknown[] }>;
  pixCreateAutomaticChargeTxid(params: object, body: object): Promise<{ status: string }>;
  pixUpdateAutomaticCharge(params: object, body: object): Promise<{ status: string }>;
  pixDetailAutomaticCharge(params: object): Promise<{ status: string; tentativas?: unknown[] }>;
  pixRetryRequestAutomatic(params: object): Promise<unknown>;
}

/** Runs Efí's own client through the full lifecycle of mandates. */
export async function mandatesByEfi(conformance: string, webhookUrl: string): Promise<Verdict> {
  const { EfiPay } = createRequire(`${conformance}/package.json`)('sdk-node-apis-efi') as {
    EfiPay: new (options: object) => EfiClient;
  };
  return judged('efi-mandates', ['efi'], webhookUrl, async (psp, relay) => {
    class ThroughRelay extends EfiPay {
      override resolveRequestContext(name: string) {
        return { ...super.resolveRequestContext(name), baseUrl: relay.url };
      }
    }
    const { settings, secrets } = psp.account;
    const pem = (text: unknown) => Buffer.from(String(text)).toString('base64');
    const client = new ThroughRelay({
      client_id: settings.clientId,
      client_secret: secrets.clientSecret,
      certificate: pem(secrets.certificate),
      pemKey: pem(secrets.privateKey),
      cert_base64: true,
      validateMtls: false,
    });
    await checkEfiLifecycle(client, psp, webhookUrl);
  });
}

async function checkEfiLifecycle(client: EfiClient, psp: Psp, webhookUrl: string): Promise<void> {
  // From the adapter's case, only the clock and the payers' side are used.
  const scenario = new MandateScenario(
    mandatesThrough(psp, { api: String(psp.account.settings.apiUrl) }),
    psp,
  );
  const dueDate = scenario.dueDate();
  const must = (isSo: boolean, what: string) => {
    if (!isSo) throw new Error(what);
  };
  const accepted = async (contrato: string) => {
    const { id: loc } = await client.pixCreateLocationRecurrenceAutomatic();
    const { idRec } = await client.pixCreateRecurrenceAutomatic({
      vinculo: { contrato, devedor: { cpf: PAYER.taxId, nome: PAYER.name }, objeto: 'Plano mensal' },
      calendario: { dataInicial: dueDate, periodicidade: 'MENSAL' },
      valor: { valorRec: '49.90' },
      politicaRetentativa: 'PERMITE_3R_7D',
      loc,
    });
    psp.bank.mandates.answerConsent(idRec, true);
    must((await client.pixDetailRecurrenceAutomatic({ idRec })).status === 'APROVADA', 'it is not APROVADA');
    return idRec;
  };
  const order = async (txid: string, idRec: string) => {
    const { receivingAccount: conta, receivingBranch: agencia } = RECEIVER;
    await client.pixCreateAutomaticChargeTxid(
      { txid },
      {
        idRec,
        calendario: { dataDeVencimento: dueDate },
        valor: { original: '49.90' },
        ajusteDiaUtil: true,
        recebedor: { agencia, conta, tipoConta: 'CORRENTE' },
      },
    );
    psp.ownActs.runDue();
  };
  const statusOf = async (txid: string) => (await client.pixDetailAutomaticCharge({ txid })).status;

  await client.pixConfigWebhookRecurrenceAutomatic({ webhookUrl });
  await client.pixConfigWebhookAutomaticCharge({ webhookUrl });
  const [one, two, three] = ['1', '2', '3'].map((each) => `EFI${each}${'0'.repeat(22)}`) as [
    string,
    string,
    string,
  ];
  const paid = await accepted('contrato1');
  const late = await accepted('contrato2');
  const dropped = await accepted('contrato3');
  psp.bank.mandates.findMandate(late).hasBalance = false;
  for (const [txid, idRec] of [
    [one, paid],
    [two, late],
    [three, dropped],
  ] as const)
    await order(txid, idRec);
  const { status } = await client.pixUpdateAutomaticCharge({ txid: three }, { status: 'CANCELADA' });
  must(status === 'CANCELADA', 'a debit was not cancelled');
  scenario.moveTo(dueDate, 22);
  must((await statusOf(one)) === 'CONCLUIDA', 'a debit was not paid');
  await client.pixRetryRequestAutomatic({ txid: two, data: addDays(dueDate, 1) });
  psp.bank.mandates.findMandate(late).hasBalance = true;
  scenario.moveTo(addDays(dueDate, 1), 9);
  must((await statusOf(two)) === 'CONCLUIDA', 'another attempt was not paid');
  const ended = await client.pixUpdateRecurrenceAutomatic({ idRec: dropped }, { status: 'CANCELADA' });
  must(ended.status === 'CANCELADA', 'a mandate was not cancelled');
  must((await client.pixListRecurrenceAutomatic(FAR)).recs.length === 3, 'mandates are not listed');
}

/** Runs a client and then the adapter through mandates at a bank, and compares their requests. */
async function judged(
  name: string,
  profiles: readonly BacenProfileName[],
  webhookUrl: string,
  live: (psp: Psp, relay: Relay) => Promise<void>,
): Promise<Verdict> {
  const wrong: string[] = [];
  const differences: string[] = [];
  let requests = 0;
  for (const profile of profiles) {
    const options = { profile, accountNumber: '1234567', tokenSeconds: TOKEN_SECONDS };
    const psp = await startPsp(options);
    const relay = await relayTo(psp, new URL(String(psp.account.settings.apiUrl)).origin);
    try {
      await live(psp, relay);
    } catch (error) {
      wrong.push(`${profile}: ${error instanceof Error ? error.message : JSON.stringify(error)}`);
    }
    requests += relay.exchanges.length;
    const ours = await ourMandateRequests(options, webhookUrl);
    const found = differencesOf(ours, relay.exchanges, { withBodies: false });
    differences.push(...found.map((each) => `${name} ${profile} ${each}`));
    await Promise.all([relay.close(), psp.close()]);
  }
  return verdictOf(name, { profiles, requests, differences, wrong });
}

/** The adapter's requests of the same kind to a separate bank. */
async function ourMandateRequests(
  options: NonNullable<Parameters<typeof startPsp>[0]>,
  webhookUrl: string,
): Promise<readonly Exchange[]> {
  const psp = await startPsp(options);
  const { apiUrl, tokenUrl } = psp.account.settings;
  const relay = await relayTo(psp, new URL(String(apiUrl)).origin);
  const through = (address: unknown) => {
    const { origin } = new URL(String(address));
    return String(address).replace(origin, relay.url);
  };
  const bank = mandatesThrough(psp, { api: through(apiUrl), token: through(tokenUrl) });
  try {
    await checkMandateLifecycle(bank, psp, webhookUrl);
    return relay.exchanges;
  } finally {
    await Promise.all([bank.disconnect(), relay.close(), psp.close()]);
  }
}
