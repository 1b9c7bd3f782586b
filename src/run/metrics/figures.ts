import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';

/** A metric that is read on request. */
export interface Figure {
  /** Use constant values only, so that the number of series does not grow with the number of stores. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Adds the metrics of one name to the registry. */
export function gauge(registry: Registry, name: string, help: string, figures: readonly Figure[]): void {
  const labelNames = Object.keys(figures[0]?.labels ?? {});
  const made = new Gauge({ name: `recebe_${name}`, help, labelNames, registers: [registry] });
  for (const { labels, value } of figures) made.set(labels, value);
}
