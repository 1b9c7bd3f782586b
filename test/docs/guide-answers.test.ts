import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const GUIDES = new URL('../../docs/guides/', import.meta.url);

/** A heading, or a block of code with its language. */
const PARTS = /^(?<heading>#+ .*)$|^```(?<language>\w*)\n(?<code>[\s\S]*?)^```/gm;

const REQUEST = /^(?:get|post|curl) |\$\((?:get|post|curl) /m;

/** A block that only prepares others, or whose answer is a file. */
const HAS_NO_ANSWER = /^get\(\) \{|> \S+\.pdf$/m;

const ANSWERS = ['json', 'text', 'csv'];

/** The first lines of requests in a guide that no answer follows before the next request or heading. */
function unanswered(guide: string): string[] {
  const parts = [...readFileSync(new URL(guide, GUIDES), 'utf8').matchAll(PARTS)].map(({ groups }) => ({
    language: groups?.language,
    code: groups?.code ?? '',
  }));
  return parts.flatMap(({ language, code }, index) => {
    if (language !== 'sh' || !REQUEST.test(code) || HAS_NO_ANSWER.test(code)) return [];
    const following = parts.slice(index + 1);
    const end = following.findIndex((part) => part.language === undefined || part.language === 'sh');
    const answers = following.slice(0, end === -1 ? undefined : end);
    return answers.some((part) => ANSWERS.includes(part.language ?? '')) ? [] : [code.split('\n')[0] ?? ''];
  });
}

it.each(globSync('*.md', { cwd: GUIDES }).sort())('shows the answer of each request in %s', (guide) => {
  expect(unanswered(guide)).toEqual([]);
});
