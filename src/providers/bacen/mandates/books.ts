import type { TimeWindow } from '../../ports/pages.ts';
import { ProviderError } from '../../provider-error.ts';
import type { BankClient } from '../bank-client.ts';
import { pageQuery } from '../page-query.ts';
import type { MandatePaths } from '../profile.ts';
import { BANK_ID, readEach } from '../read-each.ts';
import {
  type BankInstruction,
  type BankMandate,
  instructionSchema,
  mandateSchema,
  readInstruction,
  readInstructionList,
  readMandate,
  readMandateList,
} from './wire.ts';

/** Look-ups and lists of an account's mandates and instructions. */
export class MandateBooks {
  readonly #client: BankClient;
  readonly #paths: MandatePaths;

  constructor(client: BankClient, paths: MandatePaths) {
    this.#client = client;
    this.#paths = paths;
  }

  async mandate(id: string, signal?: AbortSignal): Promise<BankMandate | null> {
    if (!BANK_ID.test(id)) return null;
    const body = await this.#client.find(`${this.#paths.rec}/${id}`, signal);
    return body === null ? null : readMandate(body);
  }

  /** @param txid of the charge that the code also pays; null for a code that asks for consent only. */
  async mandateWithCode(id: string, txid: string | null): Promise<BankMandate> {
    if (txid !== null && !BANK_ID.test(txid))
      throw new ProviderError('INVALID', 'the reference of the charge is not a txid');
    const path = `${this.#paths.rec}/${id}`;
    return readMandate(
      await this.#client.send({ method: 'GET', path, ...(txid !== null && { query: { txid } }) }),
    );
  }

  async instruction(txid: string, signal?: AbortSignal): Promise<BankInstruction | null> {
    if (!BANK_ID.test(txid)) return null;
    const body = await this.#client.find(`${this.#paths.cobr}/${txid}`, signal);
    return body === null ? null : readInstruction(body);
  }

  async mandates(time: TimeWindow, page: number, filter: Readonly<Record<string, string>> = {}) {
    const query = { ...pageQuery(time, page), ...filter };
    const list = readMandateList(await this.#client.send({ method: 'GET', path: this.#paths.rec, query }));
    return { ...readEach(mandateSchema, list.recs ?? [], 'idRec'), isLast: isLast(list, page) };
  }

  async instructions(time: TimeWindow, page: number) {
    const query = pageQuery(time, page);
    const list = readInstructionList(
      await this.#client.send({ method: 'GET', path: this.#paths.cobr, query }),
    );
    return { ...readEach(instructionSchema, list.cobsr ?? [], 'txid'), isLast: isLast(list, page) };
  }
}

function isLast(
  list: ReturnType<typeof readMandateList | typeof readInstructionList>,
  page: number,
): boolean {
  return page + 1 >= list.parametros.paginacao.quantidadeDePaginas;
}
