import type { RefusedCode } from '../../portal/codes.ts';
import { textField } from '../frame/fields.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError } from '../frame/page-context.ts';
import type { Arrival } from './visit.ts';

/** How long somebody waits who finds a flood of guesses. */
const BUSY_SECONDS = 60;

/** The field for a code. */
export function codeField(
  problem: string | null,
  { name, label }: { readonly name: string; readonly label: string } = {
    name: 'code',
    label: say('portal.door.code'),
  },
): Html {
  return textField({
    name,
    label,
    problems: problem === null ? {} : { [name]: problem },
    autocomplete: 'one-time-code',
    maxLength: 10,
    attributes: html` inputmode="numeric"${name === 'code' && html` autofocus`}`,
  });
}

/** The code that was typed, without the blanks of people who group its digits. */
export function codeIn(form: URLSearchParams, name = 'code'): string {
  return (form.get(name) ?? '').replace(/\s/g, '').slice(0, 20);
}

/** Compares a code, as far as the process has room for such work. @throws NoticeError 429 in a flood of guesses. */
export function compared<Result>({ deps }: Arrival, work: () => Promise<Result>): Promise<Result> {
  const { passwordQueue } = deps.trafficLimiter;
  if (passwordQueue.isFull) throw new NoticeError(429, NOTICES.tooMany, BUSY_SECONDS);
  return passwordQueue.compare(work);
}

export function problemOfCode(refused: RefusedCode): string {
  return refused.kind === 'OVER'
    ? say('portal.door.codeIsOver')
    : say('portal.door.codeIsWrong', { tries: refused.triesLeft });
}

/** In dev mode no code is mailed, and the page shows what the mail would say. */
export function sandboxMail(shownCode: string | null): Html {
  return html`<p class="portal__sandbox">${
    shownCode === null
      ? say('portal.door.noMailInTheSandbox')
      : html`${say('portal.door.sandboxCode')} <strong class="portal__code">${shownCode}</strong>`
  }</p>`;
}
