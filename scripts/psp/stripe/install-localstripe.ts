import { join, resolve } from 'node:path';
import { installPython } from '../../embedded/python-packages.ts';

const FOLDER = resolve(import.meta.dirname, '../../../conformance/stripe');

/** @returns the program localstripe, or null if it cannot be installed here: no Python, or no package index. */
export function installLocalstripe(): string | null {
  try {
    const python = installPython(FOLDER);
    return python === null ? null : join(FOLDER, '.venv', 'bin', 'localstripe');
  } catch {
    return null;
  }
}
