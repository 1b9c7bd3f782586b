import { describe, expect, it } from '@jest/globals';
import { StartProgress } from '../../scripts/start-progress.ts';

function progressOn(terminal: { readonly isTTY: boolean; readonly columns?: number }) {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  let nowMs = 0;
  const progress = new StartProgress({ ...terminal, write }, 4, () => nowMs);
  const wait = (ms: number) => {
    nowMs += ms;
  };
  return { progress, wait, text: () => text };
}

/** What a person sees of it at its end: a line that was rewritten shows what was written last. */
const seen = (text: string) =>
  text
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r\x1b[K') + 1).replace('\x1b[K', ''))
    .join('\n');

describe('a start', () => {
  it('shows step, time and detail in one line on a terminal, and removes it at the end', () => {
    const { progress, wait, text } = progressOn({ isTTY: true, columns: 60 });
    progress.step('Starting Postgres');
    expect(seen(text())).toBe('[1/4] 0 s  Starting Postgres');
    wait(4_000);
    progress.step('Starting Temporal');
    progress.detail('Downloading https://example.com/a/very/long/address/of/a/server');
    expect(seen(text())).toBe('[2/4] 4 s  Starting Temporal: Downloading https://example.c');
    expect(text()).not.toContain('\n');
    progress.end();
    progress.say('Recebe is running.');
    progress.detail('Postgres ended; starting it again');
    expect(seen(text())).toBe('Recebe is running.\nPostgres ended; starting it again\n');
  });

  it('prints lasting messages above that line on a terminal', () => {
    const { progress, wait, text } = progressOn({ isTTY: true });
    progress.step('Preparing the database');
    progress.say('Encrypted the secrets of 2 webhooks');
    wait(1_000);
    progress.step('Starting API and worker');
    expect(seen(text())).toBe('Encrypted the secrets of 2 webhooks\n[2/4] 1 s  Starting API and worker');
    progress.end();
  });

  it('prints a line per step and per half minute of a long step without a terminal', () => {
    const { progress, wait, text } = progressOn({ isTTY: false });
    progress.step('Starting Temporal');
    for (let second = 5; second <= 70; second += 5) {
      wait(5_000);
      progress.detail(`Downloading: ${second} s`);
    }
    progress.step('Preparing the database');
    expect(text()).toBe('Starting Temporal\nDownloading: 30 s\nDownloading: 60 s\nPreparing the database\n');
  });
});
