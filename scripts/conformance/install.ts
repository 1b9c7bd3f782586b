import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCurrent, runIn } from '../embedded/python-packages.ts';
import { say } from '../embedded/run-and-stop.ts';

/** @throws Error if npm fails. */
export function installNode(folder: string): void {
  const source = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules', '.installed-lock');
  if (isCurrent(source, installed)) return;
  say('Installing the parts that others wrote');
  runIn(folder, 'npm', ['ci']);
  copyFileSync(source, installed);
}
