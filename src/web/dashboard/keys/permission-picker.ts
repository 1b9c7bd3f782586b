import { KEY_PRESETS, type KeyPreset } from '../../../domain/key-presets.ts';
import { isReading, PERMISSIONS, type Permission } from '../../../domain/permission.ts';
import { checkbox, type Problems, problemOf } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Say } from '../frame/locale.ts';
import type { Visit } from '../frame/visit.ts';
import { PERMISSION_WORDS, PRESET_WORDS, permissionsByGroup } from './permission-words.ts';

/** The submitted permissions of a new key. */
export interface TypedPermissions {
  readonly preset: KeyPreset | 'custom';
  readonly readOnly: boolean;
  /** The ticked permissions; they count for `custom` only. */
  readonly ticked: readonly Permission[];
}

/** The least powerful preset. */
export const LEAST: TypedPermissions = { preset: 'read', readOnly: false, ticked: [] };

const PRESETS = [...(Object.keys(KEY_PRESETS) as KeyPreset[]), 'custom'] as const;

export function typedPermissions(visit: Visit): TypedPermissions {
  return {
    preset: PRESETS.find((preset) => preset === visit.field('preset')) ?? 'custom',
    readOnly: visit.field('kind') === 'read-only',
    ticked: PERMISSIONS.filter((name) => visit.form.getAll('permissions').includes(name)),
  };
}

/** What the key will be allowed to do. */
export function grantedBy({ preset, readOnly, ticked }: TypedPermissions): {
  readonly readOnly: boolean;
  readonly permissions: readonly Permission[];
} {
  if (preset !== 'custom') return KEY_PRESETS[preset];
  return { readOnly, permissions: readOnly ? ticked.filter(isReading) : ticked };
}

/** Presets, and single permissions for "choose", which are shown only then if the browser can hide them. */
export function permissionPicker(
  say: Say,
  { preset, readOnly, ticked }: TypedPermissions,
  problems: Problems,
): Html {
  return html`<fieldset class="choices presets"><legend>${say('dashboard.keys.whatItMayDo')}</legend>
${problemOf({ name: 'permissions', problems })}
${PRESETS.map((name) =>
  checkbox({
    type: 'radio',
    name: 'preset',
    value: name,
    label: html`<span><strong>${say(PRESET_WORDS[name].name)}</strong> <span class="soft">${say(PRESET_WORDS[name].hint)}</span></span>`,
    isChecked: name === preset,
    class: 'preset',
  }),
)}
<div class="presets__custom">
${checkbox({ name: 'kind', value: 'read-only', label: html`<span>${say('dashboard.keys.neverChangesAnything')}</span>`, isChecked: readOnly, class: 'preset' })}
<div class="groups">${permissionsByGroup(PERMISSIONS).map((group) => groupOf(say, group, ticked))}</div>
</div></fieldset>`;
}

function groupOf(
  say: Say,
  { title, names }: ReturnType<typeof permissionsByGroup>[number],
  ticked: readonly Permission[],
): Html {
  return html`<fieldset class="group"><legend>${say(title)}</legend>
${names.map((name) =>
  checkbox({
    name: 'permissions',
    value: name,
    label: html`<span>${permissionText(say, name)}</span>`,
    isChecked: ticked.includes(name),
  }),
)}</fieldset>`;
}

/** A permission in words, with the name that the API uses. */
export function permissionText(say: Say, name: Permission): Html {
  const words = PERMISSION_WORDS[name];
  return html`${words !== null && say(words)} <code class="code-of">${name}</code>`;
}
