import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';

/** A figure that is read when somebody asks. */
export interface Figure {
  /** Of our own words only: there are as many series whatever the number of stores. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Writes figures of one name into what is answered. */
export function gauge(registry: Registry, name: string, help: string, figures: readonly Figure[]): void {
  const labelNames = Object.keys(figures[0]?.labels ?? {});
  const made = new Gauge({ name: `recebe_${name}`, help, labelNames, registers: [registry] });
  for (const { labels, value } of figures) made.set(labels, value);
}
