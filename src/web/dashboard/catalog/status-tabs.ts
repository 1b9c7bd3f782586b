import type { Html } from '../../frame/html.ts';
import { tabs } from '../frame/tabs.ts';
import type { Visit } from '../frame/visit.ts';

/** Links to the parts of a list, by its parameter `status`. @param label names the group to screen readers. */
export function statusTabs(
  { path, query }: Visit,
  label: string,
  parts: readonly (readonly [status: string, name: string])[],
): Html {
  const current = query.get('status') ?? '';
  return tabs(
    label,
    parts.map(([status, text]) => ({
      href: status === '' ? path : `${path}?status=${status}`,
      text,
      isCurrent: status === current,
    })),
  );
}
