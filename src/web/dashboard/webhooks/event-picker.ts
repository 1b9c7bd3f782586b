import {
  ENDPOINT_EVENT_NAMES,
  type EndpointEventName,
  eventNamesFor,
  eventVersionOf,
} from '../../../domain/event-names.ts';
import { checkbox, type Problems, problemOf } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Say } from '../frame/locale.ts';
import type { Visit } from '../frame/visit.ts';
import { EVENT_GROUPS, EVENT_WORDS, groupOf } from './event-words.ts';

/** The submitted events. "All of" a group adds its events, so it works without the script that ticks them. */
export function chosenEvents(visit: Visit): readonly string[] {
  const groups = visit.form.getAll('eventGroups');
  const ofGroups = ENDPOINT_EVENT_NAMES.filter((name) => groups.includes(groupOf(name)));
  const isV2 = visit.form.get('eventVersion') !== 'v1';
  const offered: readonly string[] = eventNamesFor({ v2: isV2 });
  const whole = ofGroups.filter((name) => offered.includes(name));
  return [...new Set([...visit.form.getAll('events'), ...whole])];
}

/** Events grouped by what they are about. */
export function eventPicker(
  say: Say,
  {
    v2,
    chosen,
    problems,
  }: {
    readonly v2: boolean;
    readonly chosen: readonly string[];
    readonly problems: Problems;
  },
): Html {
  const names = eventNamesFor({ v2 });
  const groups = Object.entries(EVENT_GROUPS).flatMap(([group, words]) => {
    const events = names.filter((name) => groupOf(name) === group);
    return events.length === 0 ? [] : [{ group, title: say(words), events }];
  });
  return html`<fieldset class="choices"${'events' in problems && html` aria-describedby="events-problem"`}><legend>${say('dashboard.events')}</legend>
<input type="hidden" name="eventVersion" value="${eventVersionOf({ v2 })}">
${problemOf({ name: 'events', problems })}
<div class="groups">${groups.map(({ group, title, events }) => groupOfEvents(say, { group, title, events, chosen }))}</div></fieldset>`;
}

interface Group {
  readonly group: string;
  readonly title: string;
  readonly events: readonly EndpointEventName[];
  readonly chosen: readonly string[];
}

function groupOfEvents(say: Say, { group, title, events, chosen }: Group): Html {
  const all = checkbox({
    name: 'eventGroups',
    value: group,
    label: say('dashboard.webhooks.allOfThem'),
    class: 'group__all',
    attributes: html` data-all`,
  });
  return html`<fieldset class="group" data-group><legend>${title}</legend>
${events.length > 1 && all}
${events.map((name) =>
  checkbox({
    name: 'events',
    value: name,
    label: html`<span>${say(EVENT_WORDS[name])} <code class="code-of">${name}</code></span>`,
    isChecked: chosen.includes(name),
  }),
)}</fieldset>`;
}
