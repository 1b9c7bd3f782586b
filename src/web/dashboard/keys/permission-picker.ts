import { KEY_PRESETS, type KeyPreset } from '../../../domain/key-presets.ts';
import { isReading, PERMISSIONS, type Permission } from '../../../domain/permission.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Say } from '../frame/locale.ts';
import type { Visit } from '../frame/visit.ts';
import { PERMISSION_GROUPS, PERMISSION_WORDS, PRESET_WORDS } from './permission-words.ts';

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
  problem: string | undefined,
): Html {
  return html`<fieldset class="choices presets"><legend>${say('dashboard.keys.whatItMayDo')}</legend>
${problem !== undefined && html`<p class="field__problem" id="permissions-problem">${problem}</p>`}
${PRESETS.map(
  (name) =>
    html`<label class="preset"><input type="radio" name="preset" value="${name}"${
      name === preset && html` checked`
    }> <span><strong>${say(PRESET_WORDS[name].name)}</strong> <span class="soft">${say(PRESET_WORDS[name].hint)}</span></span></label>\n`,
)}
<div class="presets__custom">
<label class="preset"><input type="checkbox" name="kind" value="read-only"${readOnly && html` checked`}> <span>${say('dashboard.keys.neverChangesAnything')}</span></label>
<div class="groups">${Object.entries(PERMISSION_GROUPS).map(([group, words]) => groupOf(say, { group, title: say(words), ticked }))}</div>
</div></fieldset>`;
}

function groupOf(
  say: Say,
  {
    group,
    title,
    ticked,
  }: { readonly group: string; readonly title: string; readonly ticked: readonly Permission[] },
): Html {
  const names = PERMISSIONS.filter((name) => name.startsWith(`${group}:`));
  return html`<fieldset class="group"><legend>${title}</legend>
${names.map(
  (name) =>
    html`<label><input type="checkbox" name="permissions" value="${name}"${
      ticked.includes(name) && html` checked`
    }> <span>${permissionText(say, name)}</span></label>\n`,
)}</fieldset>`;
}

/** A permission in words, with the name that the API uses. */
export function permissionText(say: Say, name: Permission): Html {
  return html`${say(PERMISSION_WORDS[name])} <code class="code-of">${name}</code>`;
}
