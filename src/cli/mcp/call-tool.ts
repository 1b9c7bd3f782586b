import type { ApiAddress } from '../instance.ts';
import { type Answered, sendRequest, Unanswered } from './send-request.ts';
import { type Tool, withDefaults } from './tools.ts';
import { UnansweredCalls } from './unanswered-calls.ts';

/** What a model reads. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

type Args = Readonly<Record<string, unknown>>;

/** About 10,000 tokens. */
const MAX_TEXT_CHARACTERS = 40_000;

/** Calls the API for a model. */
export class ToolCalls {
  readonly #api: ApiAddress;
  readonly #unanswered = new UnansweredCalls();

  constructor(api: ApiAddress) {
    this.#api = api;
  }

  /** Never throws for what the API answers: the result says what the model can do. */
  async call(tool: Tool, args: Args, signal: AbortSignal): Promise<ToolResult> {
    const result = tool.isRead
      ? await this.#read(tool, withDefaults(tool, args), signal)
      : await this.#change(tool, args, signal);
    // A service that repeats the key would put it into the conversation.
    return { ...result, text: result.text.replaceAll(this.#api.key, '[key]') };
  }

  async #read(tool: Tool, args: Args, signal: AbortSignal): Promise<ToolResult> {
    try {
      const path = `${tool.path}?${queryText(args)}`;
      const answered = await sendRequest(this.#api, { verb: 'GET', path }, signal);
      if (isRefusal(answered)) return refusal(tool, answered);
      const { data } = answered.json;
      const text = textOf(answered);
      if (text.length <= MAX_TEXT_CHARACTERS) return { text, isError: false };
      // With a smaller page, the cursor in `pagination` is that of the last object shown.
      if (tool.isList && Array.isArray(data) && data.length > 1)
        return await this.#read(tool, { ...args, limit: fitting(data.length, text.length) }, signal);
      return { text: shortened(text), isError: false };
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      return failure('NO_ANSWER', `${this.#api.url} did not answer: ${error.message}`, {
        whatToDo: 'Repeat the call once. If it fails again, ask whether the service runs at this address.',
      });
    }
  }

  async #change(tool: Tool, { idempotencyKey, ...body }: Args, signal: AbortSignal): Promise<ToolResult> {
    const key = typeof idempotencyKey === 'string' ? idempotencyKey : this.#unanswered.keyOf(tool, body);
    try {
      const request = { verb: 'POST', path: tool.path, body, idempotencyKey: key } as const;
      const answered = await sendRequest(this.#api, request, signal);
      if (isUndecided(answered)) this.#unanswered.keep(tool, body, key);
      else this.#unanswered.forget(tool, body);
      if (isRefusal(answered)) return refusal(tool, answered);
      return { text: shortened(textOf(answered)), isError: false };
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      this.#unanswered.keep(tool, body, key);
      return failure('NO_ANSWER', `${this.#api.url} did not answer: ${error.message}`, {
        idempotencyKey: key,
        whatToDo:
          'It may have been carried out. Repeat the call with exactly the same arguments: it is then carried out once.',
      });
    }
  }
}

/** Whether the same request may still be carried out, or have another answer later. */
function isUndecided({ status, json }: Answered): boolean {
  return status >= 500 || status === 429 || json.code === 'IDEMPOTENCY_KEY_IN_FLIGHT';
}

function isRefusal({ status }: Answered): boolean {
  return status < 200 || status >= 300;
}

function refusal(tool: Tool, answered: Answered): ToolResult {
  const { status, json, retryAfterSeconds } = answered;
  const { code, error, success: _, data: __, ...more } = json;
  return failure(String(code ?? 'UNKNOWN'), String(error ?? `HTTP ${status}`), {
    status,
    ...more,
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
    whatToDo: whatToDo(tool, answered),
  });
}

function whatToDo(tool: Tool, answered: Answered): string {
  const { status, retryAfterSeconds } = answered;
  if (isUndecided(answered))
    return `Wait ${retryAfterSeconds ?? 5} seconds, then repeat the call with exactly the same arguments.`;
  if (status === 401)
    return 'Do not repeat the call. Ask the person to set RECEBE_API_KEY to a valid key and to restart this server.';
  if (status === 403)
    return 'Do not repeat the call. Its description names the permission: ask the person for a key that has it.';
  if (status === 404) return 'Check the id, for example with a tool that lists such objects.';
  if (status === 400 || status === 422)
    return 'Correct the arguments as `error` and `issues` say, and call again.';
  return tool.isRead
    ? 'Read `error` before the next call.'
    : 'Read the object with a tool before you change it again.';
}

function failure(code: string, error: string, more: object): ToolResult {
  return { text: shortened(JSON.stringify({ error, code, ...more }, null, 1)), isError: true };
}

/** Without the fields of the envelope that are always the same. */
function textOf({ json }: Answered): string {
  const { success: _, error: __, ...rest } = json;
  return JSON.stringify(rest, null, 1);
}

function fitting(count: number, characters: number): number {
  return Math.max(1, Math.min(count - 1, Math.floor((count * MAX_TEXT_CHARACTERS * 0.9) / characters)));
}

function shortened(text: string): string {
  if (text.length <= MAX_TEXT_CHARACTERS) return text;
  return `${text.slice(0, MAX_TEXT_CHARACTERS)}\n… shortened: ${text.length - MAX_TEXT_CHARACTERS} characters are missing`;
}

/** As the SDKs write it: `metadata` becomes `metadata[key]=value`. */
function queryText(args: Args): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'object') text.append(name, String(value));
    else if (Array.isArray(value)) text.append(name, value.join(','));
    else for (const [key, of] of Object.entries(value)) text.append(`${name}[${key}]`, String(of));
  }
  return text.toString();
}
