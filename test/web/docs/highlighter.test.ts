import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Code, Highlighter } from '../../../src/web/docs/highlighter.ts';

const DOCS = new URL('../../../docs/', import.meta.url);

function codesIn(folder: string): Code[] {
  return globSync(`${folder}/*.md`, { cwd: DOCS }).flatMap((file) => {
    const blocks = readFileSync(new URL(file, DOCS), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)\n```/gm);
    return [...blocks].map(([, language = '', text = '']) => ({ language, text }));
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const textOf = (markup: string) =>
  markup.replace(/<[^>]+>/g, '').replace(/&([\w#]+);/g, (_, name: string) => ENTITIES[name] ?? '?');

/** A slow machine may show the first page without colours; the thread continues, and the next try has them. */
async function colored(highlighter: Highlighter, codes: readonly Code[]): Promise<readonly string[]> {
  return (await highlighter.highlight(codes)) ?? colored(highlighter, codes);
}

describe('the highlighter', () => {
  it('keeps the text of every block in the guides and adds only spans with a class', async () => {
    const codes = codesIn('guides');
    const markup = await colored(new Highlighter(), codes);
    expect(markup.map(textOf)).toEqual(codes.map(({ text }) => text));
    const tags = new Set(markup.flatMap((each) => each.match(/<[^>]+>/g) ?? []));
    expect([...tags].filter((tag) => !/^<(?:\/span|span class="[kfsnc]")>$/.test(tag))).toEqual([]);
  });

  it.each([
    ['sh', 'curl -s "$API" # now', '<span class="c"># now</span>'],
    ['js', 'const a = 1;', '<span class="k">const </span>'],
    ['json', '{ "a": 2500 }', '<span class="n">2500</span>'],
    ['python', 'import json', '<span class="k">import</span>'],
    ['php', '<?php\nexit;', '<span class="k">exit</span>'],
    ['go', 'package main', '<span class="k">package </span>'],
  ])('colours %s', async (language, text, part) => {
    expect((await colored(new Highlighter(), [{ language, text }])).join('')).toContain(part);
  });

  it('escapes code in a language that it does not know', async () => {
    expect(await colored(new Highlighter(), [{ language: 'text', text: '<b>' }])).toEqual(['&lt;b&gt;']);
  });

  it('answers null if its thread fails, each time it starts one', async () => {
    const broken = new Highlighter(new URL('data:text/javascript,throw new Error()'));
    expect(await broken.highlight([{ language: 'sh', text: 'true' }])).toBeNull();
    expect(await broken.highlight([{ language: 'sh', text: 'true' }])).toBeNull();
  });
});
