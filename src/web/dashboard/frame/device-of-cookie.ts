import type { DeviceOfCookie } from '../../../http/device-reserve.ts';
import { readDevice } from '../../../identity/device.ts';
import type { DashboardDeps } from './deps.ts';

/** Reads device cookies for the limits that come before any page. */
export function deviceOfCookie({ secretsKeys }: Pick<DashboardDeps, 'secretsKeys'>): DeviceOfCookie {
  return (cookie, now) => readDevice(secretsKeys, cookie, now)?.id ?? null;
}
