import type { SdkDocument } from './document.ts';

const HEADER = "// Made by `npm run sdks` from the API's document. Do not edit.\n";

/** The events that the trigger of `n8n-nodes-recebe` offers, by name. */
export function n8nEvents({ webhooks }: SdkDocument): string {
  const events = Object.entries(webhooks).sort(([one], [other]) => (one < other ? -1 : 1));
  const options = events.map(([name, { post }]) => {
    const summary = post.summary.replace(/\. Our addition$/, '');
    // n8n's linter wants a final period only after several sentences.
    const description = summary.includes('. ') ? `${summary}.` : summary;
    return `  {\n    name: '${name}',\n    value: '${name}',\n    description: ${JSON.stringify(description)},\n  },\n`;
  });
  return `${HEADER}/** What the trigger can wait for. */\nexport const EVENTS = [\n${options.join('')}] as const;\n`;
}
