import type { TestApp } from '../api/app.ts';

/** What the portal answers, with the cookies of one browser. */
export interface PortalAnswer {
  readonly status: number;
  readonly location: string;
  readonly text: string;
  readonly headers: Headers;
}

/** Somebody's browser at the customer portal: keeps cookies, follows nothing. */
export class PortalReader {
  readonly #app: Pick<TestApp, 'api'>;
  readonly cookies = new Map<string, string>();

  constructor(app: Pick<TestApp, 'api'>) {
    this.#app = app;
  }

  get(path: string): Promise<PortalAnswer> {
    return this.#send(path, {});
  }

  post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<PortalAnswer> {
    const body = new URLSearchParams(fields);
    return this.#send(path, {
      method: 'POST',
      body,
      headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
    });
  }

  /** Signs in at dev mode's page, which shows the code. @returns the first page. */
  async signIn(path: string, email: string): Promise<PortalAnswer> {
    await this.post(path, { email });
    const code = shownCode((await this.get(`${path}/code`)).text);
    if (code === null) throw new Error('the page shows no code');
    const entered = await this.post(`${path}/code`, { code });
    if (entered.status !== 303) throw new Error(`the code was refused: ${entered.text}`);
    return this.get(path);
  }

  /** Changes the address at dev mode's page, which shows both codes. @returns the answer to the codes. */
  async changeEmail(path: string, email: string): Promise<PortalAnswer> {
    const form = `${path}/details/email`;
    const { text } = await this.get(form);
    const csrf = csrfOf(text);
    await this.post(form, { csrf, submission: submissionOf(text), email });
    const [code = '', newEmailCode = ''] = shownCodes((await this.get(`${form}/code`)).text);
    return this.post(`${form}/code`, { csrf, code, newEmailCode });
  }

  async #send(path: string, init: RequestInit): Promise<PortalAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.#app.api.url + path, {
      redirect: 'manual',
      ...init,
      headers: { 'Accept-Language': 'en', ...(init.headers as Record<string, string>), Cookie: cookie },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const location = response.headers.get('location') ?? '';
    return { status: response.status, location, text: await response.text(), headers: response.headers };
  }
}

/** The codes on a page of dev mode, in their order. */
export function shownCodes(text: string): string[] {
  return [...text.matchAll(/portal__code">(\d{6})</g)].map(([, code = '']) => code);
}

/** The id of a form, by which it acts once. */
export function submissionOf(text: string): string {
  return /name="submission" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** The code on the page of dev mode. */
export function shownCode(text: string): string | null {
  return /portal__code">(\d{6})</.exec(text)?.[1] ?? null;
}

/** The CSRF token of a signed-in page. */
export function csrfOf(text: string): string {
  return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
}
